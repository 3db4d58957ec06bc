"""Slow reference implementation of Hive's network: features listed in plain Python, layers as matrix products."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bots.hive.kernels import network_fields as nf
from bots.hive.kernels.network import CHANNEL_MAX
from bots.hive.tiles import SIDE_TILES, TILE_KINDS, neighbour
from bots.hive.training.features import SideFeatures

if TYPE_CHECKING:
    from bots.hive.kernels.boundary import Hive


def naive_network_output(state: Hive, weights: Any) -> float:
    """Return the network's output for the side to move; `weights` is numpy's view of the state."""
    sides = [naive_features(state, side) for side in (state.side, 1 - state.side)]
    us, them = (weights["feature_weights"][listed].astype(int).sum(axis=0) for listed in sides)
    half = nf.CHANNELS
    channels = np.concatenate([us[:half] + them[half:], them[:half] + us[half:]]).clip(0, CHANNEL_MAX)
    hidden = channels @ weights["hidden_weights"].astype(float) + weights["hidden_bias"][sum(state.in_hand)]
    return float(hidden.clip(0) @ weights["output_weights"] + weights["output_bias"])


def naive_features(state: Hive, side: int) -> list[int]:
    """Return the features of a side, in ascending order."""
    counted, found = SideFeatures(state, side), []
    for tile in range(side * SIDE_TILES, (side + 1) * SIDE_TILES):
        if state.tile_cell[tile] >= 0:
            found += _tile_features(counted, tile)
    for kind in range(8):
        in_hand = state.kind_limits[kind] - state.placed[side][kind]
        if in_hand:
            found.append(nf.IN_HAND + kind * nf.HAND_COUNT + in_hand - 1)
    counts = counted.count()
    found.append(nf.SPOTS + counts["PLACEMENT_SPOTS", 0])
    found += [nf.RESCUE] * counts["PILLBUG_RESCUE", 0]
    if counted.enemy_queen_cell >= 0:
        around = len(counted.occupied_directions(counted.enemy_queen_cell))
        found.append(nf.ATTACKED + around * nf.ATTACKER_COUNT + counts["ATTACKERS", around])
    if counted.queen_cell >= 0:
        found.append(_queen_feature(counted))
    return sorted(found)


def _tile_features(counted: SideFeatures, tile: int) -> list[int]:
    """Return the features of a tile in play."""
    state, kind = counted.state, TILE_KINDS[tile % SIDE_TILES]
    row = (kind * nf.STATE_COUNT + _state_of_tile(counted, tile)) * nf.STEP_COUNT
    features = [
        nf.TO_OWN_QUEEN + row + counted.steps(tile, counted.queen_cell),
        nf.TO_ENEMY_QUEEN + row + counted.steps(tile, counted.enemy_queen_cell),
    ]
    if tile in counted.own:
        tops = [state.top[neighbour(state.tile_cell[tile], direction)] for direction in range(6)]
        own = sum(top >= 0 and top // SIDE_TILES == counted.side for top in tops)
        enemy = sum(top >= 0 and top // SIDE_TILES != counted.side for top in tops)
        index = (kind * nf.NEIGHBOUR_COUNT + min(own, 3)) * nf.NEIGHBOUR_COUNT + min(enemy, 3)
        features.append(nf.TILE_NEIGHBOURS + index)
    return features


def _state_of_tile(counted: SideFeatures, tile: int) -> int:
    if tile not in counted.own:
        return nf.COVERED
    below = counted.state.tile_below[tile]
    if below >= 0:
        return nf.ON_OWN if below // SIDE_TILES == counted.side else nf.ON_ENEMY
    if tile in counted.mobile:
        return nf.MOBILE
    return nf.PINNED if counted.is_pinned(tile) else nf.SHUT_IN


def _queen_feature(counted: SideFeatures) -> int:
    """Return the feature of the arrangement of the tiles around the queen."""
    around = counted.occupied_directions(counted.queen_cell)
    shapes = sorted({min(_images(mask)) for mask in range(64)})
    shape = shapes.index(min(_images(sum(1 << direction for direction in around))))
    queen, top = counted.side * SIDE_TILES, counted.state.top[counted.queen_cell]
    cover = 0 if top == queen else 1 if top // SIDE_TILES == counted.side else 2
    return nf.QUEEN_SHAPE + (shape * 2 + (queen in counted.mobile)) * nf.COVERS + cover


def _images(mask: int) -> set[int]:
    """Return the rotated and mirrored images of a mask of directions."""
    directions = [direction for direction in range(6) if mask >> direction & 1]
    return {sum(1 << (start + step * d) % 6 for d in directions) for start in range(6) for step in (1, -1)}
