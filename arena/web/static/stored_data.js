// Reads the data that is stored inside a page: compressed JSON in base64.
"use strict";

const byId = (id) => document.getElementById(id);

async function readData() {
  const bytes = Uint8Array.from(atob(byId("data").textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
