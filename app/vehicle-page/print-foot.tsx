import type { QrPath } from '#app/platform/paper/qr-path.ts';
import { QrCode } from '#app/ui/qr-code.tsx';

export type PrintFootProps = { qr: QrPath; address: string; printedAt: string };

/** The foot of a printed page. Paper goes out of date, so its QR code leads to the live page. */
export function PrintFoot({ qr, address, printedAt }: PrintFootProps) {
  return (
    <div className="print-only print-foot hidden items-center gap-5 border-t border-line pt-3">
      <QrCode qr={qr} label="QR code of this page" className="size-24" />
      <p>{`Printed ${printedAt}. It may be out of date: scan the code, or go to ${address}, to see the verdict today.`}</p>
    </div>
  );
}
