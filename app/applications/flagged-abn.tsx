import { RowIcon } from '#app/ui/row-icon.tsx';
import { isAbnValid } from './abn.ts';

/** An ABN, flagged for the admin when its checksum is wrong. */
export function FlaggedAbn({ abn }: { abn: string }) {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 wrap-anywhere">
      {abn || 'N/A'}
      {isAbnValid(abn) ? null : (
        <span className="inline-flex items-center gap-1 text-sm font-semibold text-due-text">
          <RowIcon name="triangle-exclamation-point" className="row-icon" />
          Probably mistyped
        </span>
      )}
    </span>
  );
}
