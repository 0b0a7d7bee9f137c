import type { QrPath } from '#app/platform/paper/qr-path.ts';

/** A QR code of `qrStrokes`, black on white in every scheme, with its quiet zone. */
export function QrCode({ qr, label, className }: { qr: QrPath; label: string; className: string }) {
  return (
    <svg
      viewBox={`-2 -2 ${qr.size + 4} ${qr.size + 4}`}
      className={`${className} shrink-0 bg-white`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={qr.path} fill="none" stroke="#000" />
    </svg>
  );
}
