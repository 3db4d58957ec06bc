"""Pages of the servers: an HTML file with the body, and style and script files that the browser requests one by one."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from arena.web.static_page import STATIC

ICON = "icon.svg"
# Not from the module `mimetypes`, which on Windows believes the registry
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_TEMPLATE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="{icon}">
{styles}
</head>
<body>
{body}
{scripts}
</body>
</html>
"""


class ServedPage(NamedTuple):
    """A page; the names are those of files in the folder `static`, in the order in which the browser loads them."""

    name: str  # of the file with the body
    title: str
    styles: tuple[str, ...]
    scripts: tuple[str, ...]

    def render(self) -> str:
        """Return the HTML of the page."""
        return _TEMPLATE.format(
            title=self.title,
            icon=ICON,
            styles="\n".join(f'<link rel="stylesheet" href="{name}">' for name in self.styles),
            body=(STATIC / self.name).read_text(encoding="utf-8").rstrip(),
            scripts="\n".join(f'<script src="{name}"></script>' for name in self.scripts),
        )


def load_pages(*pages: ServedPage) -> dict[str, Response]:
    """Return the files of pages by name, as answers. They stay in memory, so that requests open no files."""
    names = {ICON, *(name for page in pages for name in (*page.styles, *page.scripts))}
    files = {name: Response((STATIC / name).read_bytes(), media_type=_TYPES[name.rpartition(".")[2]]) for name in names}
    return files | {page.name: Response(page.render(), media_type="text/html") for page in pages}
