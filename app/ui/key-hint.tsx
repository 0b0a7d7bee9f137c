/** A key and what it does, for pointers only: a phone has no keys. */
export function KeyHint({ keys, words }: { keys: readonly string[]; words: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm text-ink-2 max-lg:hidden">
      {keys.map((key) => (
        <kbd key={key} className="rounded-sm border border-line-strong px-1.5 py-0.5 text-xs font-semibold">
          {key}
        </kbd>
      ))}
      {words}
    </span>
  );
}
