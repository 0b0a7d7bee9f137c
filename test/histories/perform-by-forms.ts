// One operation on a vehicle, carried out as a browser without scripts does it: a form is sent, and the answer read
// from its status, its flash message and the page. A page says less than a function answers, so these outcomes hold
// less.
import type { SignedIn } from '#app/access/session.server.ts';
import { everySlipOf } from '#app/recording/entry-slips.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { FITTED } from './visit-rules.ts';
import type { Outcome, VehicleOperation } from './operation.ts';
import type { Answer, Perform } from './perform.ts';

type Site = { url: string; db: Db; cookieOf: (who: SignedIn) => string };
type Page = { status: number; flash: string; text: string };

/** Every operation of a vehicle by its form, on the registry at `url`. */
export function performByForms(site: Site): Perform {
  return async (who, operation) => {
    if (!('rego' in operation)) throw new Error(`there is no form here for: ${operation.do}`);
    return onVehicle(site, site.cookieOf(who), operation);
  };
}

async function onVehicle(site: Site, cookie: string, operation: VehicleOperation): Promise<Answer> {
  const { rego } = operation;
  const post = (path: string, fields: Record<string, string>) => send(site.url, cookie, path, fields);
  switch (operation.do) {
    case 'open':
      return open(site, cookie, rego);
    case 'register': {
      const page = await post('/vehicles/new', { ...fieldsOf(operation), rego });
      return { outcome: outcomeOf(page, 'registered', 'vehicle-added', { 'rego-exists.': 'exists' }) };
    }
    case 'update': {
      const { mark, version } = operation.form;
      const page = await post(`/vehicles/update/${rego}`, {
        ...fieldsOf({ ...operation, mark }),
        version: `${version}`,
      });
      const reasons = {
        'changed-meanwhile.': 'stale',
        'vehicle-removed.': 'removed',
        'vehicle-unknown.': 'unknown',
        'Say why you set the due date by hand.': 'due-without-reason',
        'No visit of this truck counts': 'due-without-visit',
        'Set a day up to': 'due-too-late',
      };
      return { outcome: outcomeOf(page, 'updated', 'vehicle-updated', reasons) };
    }
    case 'remove': {
      const page = await post(`/vehicles/delete/${rego}`, { form_key: operation.key });
      return { outcome: outcomeOf(page, 'removed', 'record-deleted', {}, 'deleted-already') };
    }
    case 'restore': {
      const page = await post('/vehicles/removed', { id: operation.id, form_key: operation.key });
      const reasons = {
        'rego-exists.': 'rego-taken',
        'restored-already.': 'live-already',
        'vehicle-unknown.': 'unknown',
      };
      return { outcome: outcomeOf(page, 'restored', 'vehicle-restored', reasons) };
    }
    case 'decide': {
      const { validated, reason, key } = operation;
      const page = await post(`/vehicles/validate/${rego}`, {
        validated: validated ? 'yes' : 'no',
        reason,
        form_key: key,
      });
      return {
        outcome: outcomeOf(page, 'decided', validated ? 'vehicle-validated' : 'validation-withdrawn', {}, ''),
      };
    }
    case 'record': {
      const page = await post(`/vehicles/view/${rego}?calibrate`, { ...entryFields(operation), rego });
      const reasons = {
        'vehicle-removed.': 'removed',
        'vehicle-unknown.': 'unknown',
        'recorded-already.': 'recorded-already',
      };
      const closed = page.status === 303 ? CLOSED[page.flash] : undefined;
      return {
        outcome:
          closed === undefined ? outcomeOf(page, 'recorded', 'entry-added', reasons) : { recorded: true, closed },
      };
    }
    case 'correct': {
      const fields = { ...entryFields(operation), reason: operation.reason };
      const page = await post(`/calibrations/correct/${rego}/${operation.id}`, fields);
      const reasons = {
        'vehicle-removed.': 'removed',
        'entry-unknown.': 'unknown',
        'not-yours.': 'not-yours',
        'corrected-already.': 'corrected-already',
        'after the calibration. Check the year.': 'due-date',
      };
      return { outcome: outcomeOf(page, 'corrected', 'entry-corrected', reasons) };
    }
    case 'record set':
    case 'finish':
    case 'decide visit':
    case 'expire':
    case 'apply withdrawal':
    case 'import':
      throw new Error(`there is no form here for: ${operation.do}`);
  }
}

// The update form, as far as this person sees it. It has no id in it: the removed list does, and here the database.
async function open({ url, db }: Site, cookie: string, rego: string): Promise<Answer> {
  const answer = await fetch(`${url}/vehicles/update/${rego}`, { headers: { cookie }, redirect: 'manual' });
  const text = await answer.text();
  if (answer.status === 302) return { outcome: { live: false } };
  if (answer.status !== 200) throw new Error(`the form of ${rego} answered ${answer.status}`);
  const mark = fieldIn(text, 'make') ?? '';
  const dueOn = fieldIn(text, 'next_calibration_due');
  const outcome = {
    live: true,
    mark,
    version: Number(fieldIn(text, 'version')),
    notes: /<textarea[^>]*name="notes"[^>]*>([^<]*)</.exec(text)?.[1] ?? '',
    ...(dueOn === undefined
      ? {}
      : { dueOn: dueOn || null, validated: isChecked(text, 'calibration_validated', 'yes') }),
  };
  const known = await db.selectFrom('vehicle').select('id').where('rego', '=', rego).where('make', '=', mark).execute();
  return { outcome, ...(known[0] === undefined ? {} : { id: known[0].id }) };
}

function isChecked(page: string, name: string, value: string): boolean {
  const [tag] = new RegExp(`<input[^>]*name="${name}"[^>]*value="${value}"[^>]*>`).exec(page) ?? [];
  if (tag === undefined) throw new Error(`the form has no choice ${name}`);
  return tag.includes(' checked');
}

function fieldIn(page: string, name: string): string | undefined {
  const [tag] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page) ?? [];
  return tag === undefined ? undefined : (/ value="([^"]*)"/.exec(tag)?.[1] ?? '');
}

async function send(url: string, cookie: string, path: string, fields: Record<string, string>): Promise<Page> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // Whole, with its length: as browsers send it.
  const whole = new Response(form);
  const type = whole.headers.get('content-type') ?? '';
  const body = await whole.arrayBuffer();
  const headers = { cookie, origin: url, 'content-type': type };
  const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
  const cookies = answer.headers.getSetCookie().join(' ');
  return {
    status: answer.status,
    flash: /registry-notice=([a-z-]+)\./.exec(cookies)?.[1] ?? '',
    text: await answer.text(),
  };
}

const CLOSED: Readonly<Record<string, string>> = {
  'visit-counts': 'counts',
  'visit-waits': 'waits',
  'visit-partial': 'partial',
};

// Accepted with its flash message; refused with another one, or with a page that has the words of a reason.
function outcomeOf(
  page: Page,
  done: string,
  flash: string,
  reasons: Readonly<Record<string, string>>,
  other?: string,
): Outcome {
  if (page.status === 303 && page.flash === flash) return { [done]: true };
  if (page.status === 303 && page.flash === other) return { [done]: false };
  const code = Object.keys(reasons).find((words) => page.text.includes(words));
  if ((page.status === 409 || page.status === 404 || page.status === 400) && code !== undefined)
    return { [done]: false, reason: reasons[code] ?? '' };
  // The page that the dialog stands on is gone, and says so.
  const isGone = page.status === 404 || page.text.includes('was removed from this registry');
  if (done === 'recorded' && isGone) return { recorded: false };
  throw new Error(`answered ${page.status}, flash message '${page.flash}': ${page.text.slice(0, 500)}`);
}

type VehicleFields = {
  mark: string;
  notes: string;
  dueOn: string | null;
  validated: boolean;
  key: string;
  reason?: string;
};

const fieldsOf = ({ mark, notes, dueOn, validated, key, reason = '' }: VehicleFields) => ({
  make: mark,
  axle_groups: FITTED,
  reason,
  notes,
  next_calibration_due: dueOn ?? '',
  calibration_validated: validated ? 'yes' : 'no',
  form_key: key,
});

const entryFields = ({ reading, key }: Extract<VehicleOperation, { do: 'record' | 'correct' }>) => ({
  axle: reading.axle,
  attribute: reading.attribute,
  value: reading.value,
  due_date: reading.dueOn ?? '',
  confirmed: 'yes',
  all_the_same: everySlipOf(reading),
  form_key: key,
});
