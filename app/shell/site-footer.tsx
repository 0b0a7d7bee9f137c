import { Link } from 'react-router';

/** The time zone of due days, and links: how verdicts work, the log, the weighbridges, lists, who runs this. */
export function SiteFooter({ city }: { city: string }) {
  return (
    <footer className="no-print mt-10 border-t border-line bg-surface">
      <div className="page flex flex-wrap items-center gap-x-7 gap-y-1 py-5 text-sm text-ink-2 [&>a]:inline-flex [&>a]:min-h-11 [&>a]:items-center">
        <p className="max-sm:basis-full">{`Verdicts use ${city} time.`}</p>
        <Link to="/about">How verdicts work</Link>
        <Link to="/log">Public log</Link>
        <Link to="/references">Weighbridges</Link>
        <Link to="/check">Check many trucks</Link>
        <Link to="/contact">Contact</Link>
        <Link to="/contact#privacy">Privacy</Link>
      </div>
    </footer>
  );
}
