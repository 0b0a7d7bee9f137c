import { TriangleAlert } from 'lucide-react';

/** Beside an ABN whose digits do not add up: for the admin to look at, not a refusal. */
export function AbnFlag() {
  return (
    <span className="inline-flex items-center gap-1 text-sm font-semibold text-due-text">
      <TriangleAlert size={16} aria-hidden="true" />
      Digits do not add up
    </span>
  );
}
