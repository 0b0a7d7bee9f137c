import { RowIcon } from '#app/ui/row-icon.tsx';
import { href, Link } from 'react-router';
import { VERDICTS } from '#app/vehicles/verdict-table.ts';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { VERDICT_MEANINGS } from '#app/vehicles/verdict-meanings.ts';

const LINKS = [
  { to: '/login', label: 'Admin Login', icon: 'log-in' },
  { to: '/tech-login', label: 'Tech Login', icon: 'wrench' },
  { to: '/tech-register', label: 'Tech Register', icon: 'user-plus' },
] as const;

/** The text below an empty search: why the registry exists, what its verdicts mean, and links into it. */
export function HomeIntro() {
  return (
    <div className="page pt-9">
      <div className="grid gap-x-18 gap-y-9 lg:grid-cols-2">
        <section aria-labelledby="why">
          <h2 id="why" className="text-xl">
            Why this registry is public
          </h2>
          <p className="pt-3 text-lg">
            <strong>Chain of Responsibility.</strong> Everyone who loads, consigns, schedules or drives a heavy vehicle
            shares the duty to keep it within its mass limits. An on-board scale only helps if it is calibrated.
          </p>
          <p className="pt-3 text-lg">
            <strong>Fraud and overloading.</strong> A fraudulent calibration can make an overloaded heavy vehicle look
            legal. Here every calibration is on show, with who did it and when, so anyone can check it.
          </p>
        </section>
        <section aria-labelledby="meaning">
          <h2 id="meaning" className="text-xl">
            What the answer means
          </h2>
          <dl className="pt-2">
            {VERDICTS.toReversed().map(({ verdict }) => (
              <div
                key={verdict}
                className="grid gap-x-4 gap-y-1.5 border-b border-line py-3 last:border-b-0 sm:grid-cols-[11rem_1fr]"
              >
                <dt>
                  <VerdictBadge verdict={verdict} />
                </dt>
                <dd>{VERDICT_MEANINGS[verdict]}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <nav aria-label="For technicians and administrators" className="no-print grid gap-2.5 pt-8 md:grid-cols-3">
        {LINKS.map(({ to, label, icon }) => (
          <a
            key={to}
            href={to}
            className="card quiet-link flex min-h-14 items-center gap-3 px-4 font-bold text-accent hover:bg-hover"
          >
            <RowIcon name={icon} className="row-icon size-5" />
            <span className="flex-1">{label}</span>
            <RowIcon name="chevron-right" className="row-icon size-5" />
          </a>
        ))}
      </nav>
      <p className="no-print pt-4">
        <Link to={href('/check')} className="inline-flex min-h-11 items-center font-semibold">
          Check many trucks at once
        </Link>
      </p>
    </div>
  );
}
