/** A QR code, black on white in every scheme: `size` modules wide, with its quiet zone. */
export function QrCode({
  qr,
  label,
  className,
}: {
  qr: { size: number; path: string };
  label: string;
  className: string;
}) {
  return (
    <svg
      viewBox={`-2 -2 ${qr.size + 4} ${qr.size + 4}`}
      className={`${className} shrink-0 bg-white`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={qr.path} fill="#000" />
    </svg>
  );
}
