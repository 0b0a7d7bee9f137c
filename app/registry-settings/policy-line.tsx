/** By which version of the registry's policy a verdict was worked out, with the way to what that version says. */
export function PolicyLine({ version }: { version: number }) {
  return (
    <a href="/about#policy" className="quiet-link inline-flex min-h-11 items-center underline">
      {`Rules version ${version}`}
    </a>
  );
}
