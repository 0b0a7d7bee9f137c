import { RowIcon } from '#app/ui/row-icon.tsx';

/** A tick box that confirms likely slips. `codes` lists the slips that are shown, so the user confirms no others. */
export function ConfirmSlips({ codes, found, confirm }: { codes: string; found: string; confirm: string }) {
  return (
    <section className="note note-due" aria-label="Looks like a slip">
      <RowIcon name="triangle-exclamation-point" className="row-icon mt-1.5 size-5" />
      <div className="grid gap-2 py-1">
        <p>{found}</p>
        <label className="flex min-h-11 cursor-pointer items-center gap-2.5 font-semibold">
          <input type="checkbox" name="all_the_same" value={codes} className="size-5 shrink-0 accent-accent" />
          {confirm}
        </label>
      </div>
    </section>
  );
}
