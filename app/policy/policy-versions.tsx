/**
 * A version, formatted for the page. `confirmed`: by whom, where the page says so. `entry`: its index in the public
 * log.
 */
export type ShownVersion = {
  version: number;
  since: string;
  confirmed: string;
  facts: readonly { label: string; value: string }[];
  entry: number | null;
};

/** All versions of the policy, newest first. */
export function PolicyVersions({ versions }: { versions: readonly ShownVersion[] }) {
  return (
    <ol className="grid gap-4 pt-4" reversed>
      {versions.map(({ version, since, confirmed, facts, entry }, index) => (
        <li key={version} className="card px-5 py-4">
          <h3 className="text-base">{`Version ${version}${index === 0 ? ', in force' : ''}`}</h3>
          <p className="text-sm text-ink-2">{`Since ${since}${confirmed}`}</p>
          <dl className="grid gap-x-4 pt-2 sm:grid-cols-[11rem_1fr]">
            {facts.map(({ label, value }) => (
              <div key={label} className="contents">
                <dt className="pt-1 text-ink-2">{label}</dt>
                <dd className="font-semibold sm:pt-1">{value}</dd>
              </div>
            ))}
          </dl>
          {entry === null ? null : (
            <p className="text-sm text-ink-2">
              {`Entry ${entry.toLocaleString('en-AU')} in the public log. `}
              <a href={`/api/v1/policies/${version}/proof`} className="link-in-text" download>
                {`Proof of version ${version}`}
              </a>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
