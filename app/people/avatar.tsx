/** A person's picture (`src`), or their initials when there is none. */
export function Avatar({ name, src, large = false }: { name: string; src?: string | undefined; large?: boolean }) {
  const size = large ? 'size-24 text-2xl' : 'size-8 text-xs';
  if (src !== undefined)
    return <img src={src} alt="" width={96} height={96} className={`${size} shrink-0 rounded-full object-cover`} />;
  return (
    <span
      aria-hidden="true"
      className={`${size} grid shrink-0 place-items-center rounded-full bg-ink-2 font-semibold text-surface`}
    >
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter((word) => /\p{L}|\p{N}/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
