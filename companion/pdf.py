"""A page of PDF with rectangles, lines and words on it, true to size. Millimetres from the top left corner."""

from __future__ import annotations

from collections.abc import Sequence

POINT = 72 / 25.4
PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


class Page:
    """`paper`: a name of PAPERS. Text is set in the Helvetica that every reader has; Latin-1 only."""

    def __init__(self, paper: str) -> None:
        self.width, self.height = PAPERS[paper]
        self._content: list[str] = []

    def _at(self, x: float, y: float) -> str:
        return f"{_number(x * POINT)} {_number((self.height - y) * POINT)}"

    def box(self, x: float, y: float, width: float, height: float, grey: float = 0.0) -> None:
        """Filled; `grey`: 0 black … 1 white."""
        size = f"{_number(width * POINT)} {_number(height * POINT)}"
        self._content.append(f"{_number(grey)} g {self._at(x, y + height)} {size} re f")

    def line(
        self, x1: float, y1: float, x2: float, y2: float, width: float = 0.2, grey: float = 0.0, dash: float = 0.0
    ) -> None:
        """`dash`: length of the dashes, 0 = none."""
        dashes = f"[{_number(dash * POINT)}] 0 d" if dash else "[] 0 d"
        style = f"{_number(grey)} G {_number(width * POINT)} w {dashes}"
        self._content.append(f"{style} {self._at(x1, y1)} m {self._at(x2, y2)} l S")

    def cut(self, x: float, y: float, width: float, height: float) -> None:
        """A dashed frame to cut along."""
        right, low = x + width, y + height
        for x1, y1, x2, y2 in ((x, y, right, y), (x, low, right, low), (x, y, x, low), (right, y, right, low)):
            self.line(x1, y1, x2, y2, 0.1, grey=0.6, dash=2)

    def modules(self, x: float, y: float, module: float, rows: Sequence[Sequence[bool]]) -> None:
        """A marker's squares, `module` wide each; True = black."""
        for i, cells in enumerate(rows):
            start = 0
            while start < len(cells):
                end = start
                while end < len(cells) and cells[end]:
                    end += 1
                if end > start:  # black modules side by side are one box: no hairlines between them
                    self.box(x + start * module, y + i * module, (end - start) * module, module)
                start = end + 1

    def words(self, x: float, y: float, text: str, size: float = 3.5, bold: bool = False) -> None:
        """`y`: of the base line; `size`: of the type, in millimetres."""
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        font = "F2" if bold else "F1"
        self._content.append(f"0 g BT /{font} {_number(size * POINT)} Tf {self._at(x, y)} Td ({escaped}) Tj ET")

    def to_bytes(self, title: str) -> bytes:
        """The whole file. The same page gives the same bytes."""
        stream = "\n".join(self._content).encode("latin-1", "replace")
        box = f"[0 0 {_number(self.width * POINT)} {_number(self.height * POINT)}]"
        fonts = "/Font << /F1 5 0 R /F2 6 0 R >>"
        name = title.replace("\\", "").replace("(", "").replace(")", "")
        objects = [
            # readers that honour it do not offer to scale
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R /Resources << {fonts} >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
            f"<< /Title ({name}) >>".encode("latin-1", "replace"),
        ]
        out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        starts = []
        for number, body in enumerate(objects, 1):
            starts.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % start for start in starts)
        out += b"trailer\n<< /Size %d /Root 1 0 R /Info 7 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
        return bytes(out)
