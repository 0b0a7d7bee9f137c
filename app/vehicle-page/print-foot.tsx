import { href } from 'react-router';
import type { QrPath } from '#app/platform/paper/qr-path.ts';
import { QrCode } from '#app/ui/qr-code.tsx';

export type PrintFootProps = { qr: QrPath; address: string; printedAt: string; entry: number | undefined };

/**
 * The foot of a printed page. Paper goes out of date, so its QR code leads to the live page. `entry`: its latest in the
 * log.
 */
export function PrintFoot({ qr, address, printedAt, entry }: PrintFootProps) {
  return (
    <div className="print-only print-foot hidden items-center gap-5 border-t border-line pt-3">
      <QrCode qr={qr} label="QR code of this page" className="size-24" />
      <p>
        {`Printed ${printedAt}. It may be out of date: scan the code, or go to ${address}, to see the verdict today.`}
        {entry === undefined
          ? null
          : ` Its entry in the public log: ${new URL(href('/log/entries/:index', { index: `${entry}` }), address).href}`}
      </p>
    </div>
  );
}
