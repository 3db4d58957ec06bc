// The symbols of Hive's tiles, by the letter of the bug. A symbol is drawn in a square from -13 to 13 in both directions.
// Each layer is a CSS class (board.css) and an SVG path: fill, line and wing have the colour of the bug; cut (lines) and
// spot (areas) have the colour of the tile.
"use strict";

// Path of an ellipse with centre x, y and radii rx, ry.
const oval = (x, y, rx, ry) => `M${x - rx},${y}a${rx},${ry} 0 1 0 ${2 * rx},0a${rx},${ry} 0 1 0 ${-2 * rx},0Z`;
// Path of lines, each given as points, and of their mirror images on the left.
const bothSides = (...lines) =>
  lines.map((points) => [1, -1].map((sign) => "M" + points.map(([x, y]) => `${sign * x},${y}`).join("L")).join("")).join("");

const BUGS = {
  Q: {
    name: "queen bee",
    layers: [
      ["wing", oval(-7.5, 0, 4.5, 6.5) + oval(7.5, 0, 4.5, 6.5)],
      ["fill", oval(0, 3, 5.2, 8.6) + oval(0, -7.6, 3.4, 3.2)],
      ["cut", "M-4.6,0H4.6M-5,4H5M-3.6,8.2H3.6"],
      ["line", bothSides([[1.2, -10], [3.6, -13]])],
    ],
  },
  S: {
    name: "spider",
    layers: [
      ["line", bothSides([[2, -4], [6.5, -9], [7.5, -13]], [[2, -3], [9.5, -5], [12, -9]],
        [[2, -1], [9.5, 3], [12, 8]], [[2, 0], [6.5, 7], [8, 12.5]])],
      ["fill", oval(0, -4.4, 3, 3) + oval(0, 4, 4.8, 5.8)],
    ],
  },
  B: {
    name: "beetle",
    layers: [
      ["line", bothSides([[4, -3], [9.5, -6], [10.5, -9]], [[5, 2], [11.5, 2]], [[4.5, 6], [9.5, 9], [10.5, 12]], [[1.5, -9], [4, -13]])],
      ["fill", oval(0, 3, 6.6, 9.2) + oval(0, -7.6, 4, 3)],
      ["cut", "M0,-5V12M-6,-2.4H6"],
    ],
  },
  G: {
    name: "grasshopper",
    layers: [
      ["fill", "M-12,4.5C-6,-1.5 1,-4 7,-4C11,-4 12.5,-1.5 12,1C11,4.5 5,5 0,5Z"],
      ["line", "M-1,1L-5.5,-10L-12,11M4,4L3,11M8,3L9.5,10.5M10,-3.5L5,-11"],
    ],
  },
  A: {
    name: "ant",
    layers: [
      ["line", bothSides([[2, -3], [7.5, -6.5], [9, -10]], [[2, -1.5], [10.5, 0]], [[2, 0], [8, 5], [9.5, 10.5]], [[1, -9.5], [4.5, -13]])],
      ["fill", oval(0, -7.8, 3, 2.8) + oval(0, -1.6, 2.3, 3) + oval(0, 6.8, 3.9, 5.4)],
    ],
  },
  M: {
    name: "mosquito",
    layers: [
      ["wing", oval(-6.5, 1, 5.5, 2.8) + oval(6.5, 1, 5.5, 2.8)],
      ["line", "M0,-7V-13" + bothSides([[1, -3], [6.5, -7], [10.5, -4]], [[1, 0], [7, 6], [9, 12]])],
      ["fill", oval(0, -5.4, 2.5, 2.5) + oval(0, 4, 1.8, 8)],
    ],
  },
  L: {
    name: "ladybug",
    layers: [
      ["line", bothSides([[6, -3], [10.5, -6]], [[8, 3], [12, 3]], [[6, 8], [10, 11]], [[1.5, -10], [4, -13]])],
      ["fill", oval(0, 2.4, 8.2, 8.8) + oval(0, -7.6, 4, 3)],
      ["cut", "M0,-6V11"],
      ["spot", oval(-4, -1, 1.6, 1.6) + oval(4, -1, 1.6, 1.6) + oval(-3.8, 5.4, 1.6, 1.6) + oval(3.8, 5.4, 1.6, 1.6)],
    ],
  },
  P: {
    name: "pillbug",
    layers: [
      ["line", bothSides([[5, -5], [9, -6.5]], [[6, -1], [10.5, -1]], [[6, 3], [10.5, 4]], [[5, 7], [9, 9.5]], [[1.5, -10], [4, -13]])],
      ["fill", oval(0, 1, 6.4, 11)],
      ["cut", "M-5.2,-5.4Q0,-3 5.2,-5.4M-6.2,-1.4Q0,1 6.2,-1.4M-6.2,2.6Q0,5 6.2,2.6M-5.2,6.8Q0,9.2 5.2,6.8"],
    ],
  },
};
