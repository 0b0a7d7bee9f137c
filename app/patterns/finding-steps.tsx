import { Card } from '#app/ui/card.tsx';
import type { FindingPage } from './finding-page.server.ts';

/** Who looked, asked, answered and decided. */
export function FindingSteps({ steps }: Pick<FindingPage, 'steps'>) {
  if (steps.length === 0) return null;
  return (
    <Card title="What was done">
      <ol className="divide-y divide-line">
        {steps.map(({ words, by, at, text, alone }, place) => (
          <li key={place} className="grid gap-1 px-5 py-3">
            <p>
              <strong>{words}</strong>
              <span className="text-ink-2">{` · ${by} · ${at}`}</span>
            </p>
            {text === '' ? null : <p className="whitespace-pre-line wrap-anywhere">{text}</p>}
            {alone ? <p className="text-sm text-ink-2">No other administrator could decide.</p> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}
