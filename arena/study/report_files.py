"""Writes the report of a study: study.txt (tables and remarks), and study.json (the same with charts, for programs).

`arena.study.plot` draws the third file, study.png.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from arena.results.tables import format_table
from arena.run.provenance import describe_machine, read_versions
from arena.study.game_statistics import format_figure
from arena.study.study import Cell, Study, StudyData, StudyReport, StudySettings, StudyTable
from core.system.files import replace_text_file

TEXT_NAME, JSON_NAME, PLOT_NAME = "study.txt", "study.json", "study.png"
EMPTY_CELL = "-"


def format_report(study: Study, settings: StudySettings, report: StudyReport) -> str:
    """Return a report as text: a line about the study, its settings, the tables and the remarks."""
    parts = [f"{study.name}: {study.help}", describe_settings(study, settings), ""]
    for table in report.tables:
        parts += [table.title, format_study_table(table)]
    return "\n".join([*parts, *report.remarks]).rstrip("\n") + "\n"


def describe_settings(study: Study, settings: StudySettings) -> str:
    """Return a line that says whether the study is quick or complete, with the seed of a complete one."""
    if settings.quick:
        return f"QUICK: too few games to prove anything; without --quick the study takes {study.duration}"
    return f"complete study, seed {settings.seed}"


def format_study_table(table: StudyTable) -> str:
    """Return a table as text in aligned columns."""
    return format_table([tuple(table.headings), *(tuple(map(_format_cell, row)) for row in table.rows)])


def write_report(folder: Path, study: Study, study_data: StudyData, report: StudyReport) -> list[Path]:
    """Write study.txt and study.json, and return their paths."""
    text_path, json_path = folder / TEXT_NAME, folder / JSON_NAME
    replace_text_file(text_path, format_report(study, study_data.settings, report))
    content = msgspec.json.encode(_to_json(study, study_data, report), enc_hook=list)  # `range` objects become lists
    replace_text_file(json_path, msgspec.json.format(content, indent=2).decode() + "\n")
    return [text_path, json_path]


def _to_json(study: Study, study_data: StudyData, report: StudyReport) -> dict[str, Any]:
    return {
        "study": study.name,
        "about": study.help,
        **asdict(study_data.settings),
        "games": {name: len(run.games) for name, run in study_data.runs.items()},
        "measurements": {name: len(records) for name, records in study_data.chains.items()},
        "tables": [asdict(table) for table in report.tables],
        "charts": [asdict(chart) for chart in report.charts],
        "remarks": list(report.remarks),
        "values": dict(report.values),
        "versions": read_versions(),
        "machine": describe_machine(),
    }


def _format_cell(cell: Cell) -> str:
    if cell is None:
        return EMPTY_CELL
    return cell if isinstance(cell, str) else format_figure(cell)
