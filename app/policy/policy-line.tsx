/** The version of the policy behind a verdict, with a link to its rules. */
export function PolicyLine({ version }: { version: number }) {
  return (
    <a href="/about#policy" className="quiet-link link-in-text underline">
      {`Rules version ${version}`}
    </a>
  );
}
