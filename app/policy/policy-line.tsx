/** By which version of the registry's policy a verdict was worked out, with the way to what that version says. */
export function PolicyLine({ version }: { version: number }) {
  return (
    <a href="/about#policy" className="quiet-link link-in-text underline">
      {`Rules version ${version}`}
    </a>
  );
}
