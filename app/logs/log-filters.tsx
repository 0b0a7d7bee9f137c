import Download from 'lucide-react/icons/download';
import { useEffect, useRef, type SyntheticEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { isDay } from '#app/platform/time/calendar.ts';
import { TextField } from '#app/ui/field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { ACTIVITY_KINDS, kindWords } from '#app/activity-log/activity.ts';
import { counted } from '#app/ui/counted.ts';
import type { LogPage } from './log-page.server.ts';
import { isFiltered, LOG_TEXT_MAX_LENGTH, logHref, parseLogQuery } from './log-query.ts';

const KIND_GROUPS = ACTIVITY_KINDS.map(({ about, kinds }) => ({
  label: about,
  options: kinds.map((kind) => ({ value: kind, label: kindWords(kind) })),
}));
const FREE_TEXT = {
  maxLength: LOG_TEXT_MAX_LENGTH,
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const;

/** The filters of the log: a plain GET form. With scripts, empty fields are left out of the address. */
export function LogFilters({ log: { query, errors, today, total } }: { log: LogPage }) {
  const form = useFollowedForm(query);
  const navigate = useNavigate();
  const show = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string') typed.set(name, value);
    void navigate(logHref(parseLogQuery(typed)), { preventScrollReset: true });
  };
  return (
    <form
      ref={form}
      action="/logs"
      method="get"
      role="search"
      aria-label="Logs"
      onSubmit={show}
      className="grid grid-cols-2 [&>*]:min-w-0 max-[374.98px]:grid-cols-1 gap-x-3 gap-y-3 px-4 py-4 row:px-5 md:grid-cols-3 xl:grid-cols-5"
    >
      <TextField {...FREE_TEXT} name="who" label="Who" placeholder="Name or email" defaultValue={query.who} />
      <SelectField name="kind" label="What" empty="Everything" groups={KIND_GROUPS} defaultValue={query.kind ?? ''} />
      <div className="max-md:col-span-full">
        <TextField
          {...FREE_TEXT}
          name="record"
          label="Record"
          placeholder="Rego or email"
          defaultValue={query.record}
          error={errors.record}
        />
      </div>
      <TextField
        name="from"
        label="From"
        type="date"
        max={today}
        defaultValue={dayValue(query.from)}
        error={errors.from}
      />
      <TextField name="to" label="To" type="date" defaultValue={dayValue(query.to)} error={errors.to} />
      <div className="col-span-full flex flex-wrap items-center gap-x-3 gap-y-1">
        <button type="submit" className="button-look button-primary max-row:grow">
          Show
        </button>
        {isFiltered(query) ? (
          <Link to="/logs" className="button-look button-secondary">
            Clear
          </Link>
        ) : null}
        <div className="flex grow items-center gap-x-4 max-row:basis-full">
          <p role="status" className="text-ink-2">
            {counted(total, 'entry', 'entries')}
          </p>
          <a
            href={logHref({ ...query, page: 1 }, '/logs.csv')}
            className="ml-auto inline-flex min-h-(--size-target) items-center gap-2 font-semibold"
          >
            <Download size={18} aria-hidden="true" />
            Export CSV
          </a>
        </div>
      </div>
    </form>
  );
}

// A browser logs a warning when the value of a date field is no day.
const dayValue = (text: string) => (isDay(text) ? text : '');

// The fields are uncontrolled, so that hydration and live updates do not overwrite what is typed. When the address
// changes, as by the back button, the fields are set from it. The first field with an error gets the focus.
function useFollowedForm(query: LogPage['query']): React.RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const address = logHref(query);
  const shown = useRef(address);
  useEffect(() => {
    const current = form.current;
    if (current !== null && shown.current !== address) {
      const asked = parseLogQuery(new URL(address, 'http://own.invalid').searchParams);
      const values = { ...asked, kind: asked.kind ?? '', from: dayValue(asked.from), to: dayValue(asked.to) };
      for (const name of ['who', 'kind', 'record', 'from', 'to'] as const) {
        const field = current.elements.namedItem(name);
        if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = values[name];
      }
    }
    shown.current = address;
    current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [address]);
  return form;
}
