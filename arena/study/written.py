"""The files that a study ends with: its tables as text, all its figures as JSON, and its plot."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from arena.results.crosstable import format_table
from arena.run.provenance import describe_machine, read_versions
from arena.study.study import Cell, Findings, Study, StudyReport, StudyTable, StudyTerms
from core.system.files import replace_text_file

TEXT_NAME, JSON_NAME, PLOT_NAME = "study.txt", "study.json", "study.png"
NO_FIGURE = "-"


def format_report(study: Study, terms: StudyTerms, report: StudyReport) -> str:
    """The tables and remarks of a report as text; that of a quick study says so first."""
    parts = [f"{study.name}: {study.help}", describe_terms(study, terms), ""]
    for table in report.tables:
        parts += [table.title, format_study_table(table)]
    return "\n".join([*parts, *report.remarks]).rstrip("\n") + "\n"


def describe_terms(study: Study, terms: StudyTerms) -> str:
    """Whether this is the whole study, in words."""
    if terms.quick:
        return f"QUICK: a few games only, which say little; without --quick the study takes {study.duration}"
    return f"the whole study, seed {terms.seed}"


def format_study_table(table: StudyTable) -> str:
    """A table in columns."""
    return format_table([tuple(table.headings), *(tuple(map(_format_cell, row)) for row in table.rows)])


def write_report(folder: Path, study: Study, findings: Findings, report: StudyReport) -> list[Path]:
    """Write text and JSON, and return their paths."""
    text, data = folder / TEXT_NAME, folder / JSON_NAME
    replace_text_file(text, format_report(study, findings.terms, report))
    content = msgspec.json.encode(_to_json(study, findings, report), enc_hook=list)  # a range, say
    replace_text_file(data, msgspec.json.format(content, indent=2).decode() + "\n")
    return [text, data]


def _to_json(study: Study, findings: Findings, report: StudyReport) -> dict[str, Any]:
    return {
        "study": study.name,
        "about": study.help,
        **asdict(findings.terms),
        "games": {name: len(run.games) for name, run in findings.runs.items()},
        "measurements": {name: len(records) for name, records in findings.chains.items()},
        "tables": [asdict(table) for table in report.tables],
        "charts": [asdict(chart) for chart in report.charts],
        "remarks": list(report.remarks),
        "values": dict(report.values),
        "versions": read_versions(),
        "machine": describe_machine(),
    }


def _format_cell(cell: Cell) -> str:
    if cell is None:
        return NO_FIGURE
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return cell
