import { Link } from 'react-router';

/** The time zone of due days, and links: how verdicts work, the log, the weighbridges, lists, who runs this. */
export function SiteFooter({ city }: { city: string }) {
  return (
    <footer className="no-print mt-10 border-t border-line bg-surface">
      <div className="page flex flex-wrap items-center gap-x-7 gap-y-1 py-5 text-sm text-ink-2">
        <p className="max-sm:basis-full">{`Verdicts use ${city} time.`}</p>
        <Link to="/about" className="inline-flex min-h-11 items-center">
          How verdicts work
        </Link>
        <Link to="/log" className="inline-flex min-h-11 items-center">
          Public log
        </Link>
        <Link to="/references" className="inline-flex min-h-11 items-center">
          Weighbridges
        </Link>
        <Link to="/check" className="inline-flex min-h-11 items-center">
          Check many trucks
        </Link>
        <Link to="/contact" className="inline-flex min-h-11 items-center">
          Contact
        </Link>
        <Link to="/contact#privacy" className="inline-flex min-h-11 items-center">
          Privacy
        </Link>
      </div>
    </footer>
  );
}
