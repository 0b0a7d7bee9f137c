export type PrintFootProps = { qr: { size: number; path: string }; address: string; printedAt: string };

/** The foot of a printed page: paper goes out of date, the code leads to the live page. */
export function PrintFoot({ qr, address, printedAt }: PrintFootProps) {
  return (
    <div className="print-only print-foot hidden items-center gap-5 border-t border-line pt-3">
      <svg
        viewBox={`-2 -2 ${qr.size + 4} ${qr.size + 4}`}
        className="size-24 shrink-0 bg-white"
        role="img"
        aria-label="QR code of this page"
        shapeRendering="crispEdges"
      >
        <path d={qr.path} fill="#000" />
      </svg>
      <p>{`Printed from the page as at ${printedAt}. It may be out of date. Scan the code to see the verdict today, or go to ${address}`}</p>
    </div>
  );
}
