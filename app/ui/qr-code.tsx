import { darkRuns, type QrModules } from '#app/platform/paper/qr-modules.ts';

/** A QR code, black on white in every scheme, with its quiet zone. */
export function QrCode({ qr, label, className }: { qr: QrModules; label: string; className: string }) {
  return (
    <svg
      viewBox={`-2 -2 ${qr.size + 4} ${qr.size + 4}`}
      className={`${className} shrink-0 bg-white`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={strokesOf(qr)} fill="none" stroke="#000" />
    </svg>
  );
}

// A stroke along the middle of each row: half as long as the outlines of its runs.
function strokesOf(qr: QrModules): string {
  let path = '';
  let last = { row: -1, end: 0 };
  for (const { row, column, length } of darkRuns(qr)) {
    path += row === last.row ? `m${column - last.end} 0h${length}` : `M${column} ${row}.5h${length}`;
    last = { row, end: column + length };
  }
  return path;
}
