// What was found, for the palette and the page: a group with an exact match first, the empty ones in one last line.
import { Link } from 'react-router';
import { DidYouMean } from '#app/vehicles/did-you-mean.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import type { FindPage, FoundRow } from './find.ts';

export function FindResults({ found: { text, groups, none, near, ask } }: { found: FindPage }) {
  if (text === '') return null;
  if (groups.length === 0)
    return (
      <div className="px-5 py-10 text-center wrap-anywhere" role="status">
        <p className="text-lg font-bold">{`Nothing found for “${text}”`}</p>
        <DidYouMean near={near} ask={ask} />
      </div>
    );
  return (
    <>
      {groups.map(({ group, label, rows, count, all }) => (
        <section key={group} aria-labelledby={`found-${group}`} className="find-group border-b border-line py-1">
          <h2 id={`found-${group}`} className="flex justify-between gap-3 px-4 py-1.5 text-sm text-ink-2">
            {label}
            <span>{count}</span>
          </h2>
          <ul>
            {rows.map((row) => (
              <li key={row.href}>
                <Row row={row} text={text} />
              </li>
            ))}
            {all === null ? null : (
              <li>
                <Link to={all} className="find-row font-semibold">{`All of these ${label.toLowerCase()}`}</Link>
              </li>
            )}
          </ul>
        </section>
      ))}
      {none === '' ? null : <p className="px-4 py-2.5 text-sm text-ink-2">{`${none}: none.`}</p>}
    </>
  );
}

function Row({ row: { href, title, detail, verdict }, text }: { row: FoundRow; text: string }) {
  return (
    <Link to={href} className="quiet-link find-row">
      {verdict === undefined ? (
        <span className="font-semibold">
          <Marked text={title} part={text} />
        </span>
      ) : (
        <RegoChip rego={title} />
      )}
      <span className="text-ink-2">
        <Marked text={detail} part={text} />
      </span>
      {verdict === undefined ? null : (
        <span className="ml-auto">
          <ValidCalibrationBadge {...verdict} />
        </span>
      )}
    </Link>
  );
}

// The part of `text` by which it was found is underlined, where it stands there as typed.
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <u>{text.slice(at, at + part.length)}</u>
      {text.slice(at + part.length)}
    </>
  );
}
