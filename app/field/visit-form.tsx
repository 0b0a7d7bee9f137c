// The form of a visit on the phone: the same as with reception. What is typed is kept at once, as a draft; saved, it
// goes to the outbox. The rules are those of the registry, which judges it again when it is sent.
import { foldName } from '#app/platform/process/typed-text.ts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { axlesToRead } from '#app/recording/axles-to-read.ts';
import type { ReadSet } from '#app/recording/set-entry.ts';
import type { SetAnswer } from '#app/recording/set-answer.ts';
import { SetForm, type OpenedSet } from '#app/recording/set-form.tsx';
import { prefixOf } from '#app/readings/set-grid.ts';
import type { OpenedUnit } from '#app/recording/opened-unit.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { isAxle } from '#app/vehicles/axle.ts';
import { MOST_INTERVAL_DAYS } from '#app/policy/policy.ts';
import { addDays, instantOfDay, isDay, todayIn } from '#app/platform/time/calendar.ts';
import { REFERENCES_SUGGESTED } from '#app/references/reference-field.tsx';
import { Note } from '#app/ui/note.tsx';
import { keepVisit, photosOf, type NewPhoto } from './outbox.ts';
import type { Fetched, KeptVisit } from './phone-store.ts';
import { PhonePhotos } from './phone-photos.tsx';
import { askForSync } from './send-soon.ts';
import { answerTo, fieldsOf, NO_ROOM, readTyped } from './typed-visit.ts';
import { personOf, zoneOf, type Field, type OnThisPhone } from './use-field.ts';

const TYPING_PAUSE_MS = 400;
const SUGGESTED_DAYS = 182;

type Asked = { field: Field; phone: OnThisPhone; id: string; rego: string; typedVin: string };

/** `id`: of a visit on this phone, or of a new one. `typedVin`: of a truck that is not on the phone. */
export function VisitForm(asked: Asked) {
  const { phone, id } = asked;
  const visit = phone.visits.find((one) => one.id === id);
  const [photos, setPhotos] = useState<readonly NewPhoto[]>();
  useEffect(() => {
    void photosOf(phone.store, id).then(setPhotos);
  }, [phone.store, id]);
  if (visit?.state === 'recorded')
    return <Note kind="info">This visit has been sent. What became of it stands in the outbox.</Note>;
  return photos === undefined ? null : (
    <OpenedVisit asked={asked} visit={visit} photos={photos} setPhotos={setPhotos} />
  );
}

function OpenedVisit({
  asked: { field, phone, id, rego, typedVin },
  visit,
  photos,
  setPhotos,
}: {
  asked: Asked;
  visit: KeptVisit | undefined;
  photos: readonly NewPhoto[];
  setPhotos: (photos: readonly NewPhoto[]) => void;
}) {
  const { store, fetched } = phone;
  const navigate = useNavigate();
  const [opened] = useState(() => openSet(fetched, visit, { id, rego, typedVin }));
  const [answer, setAnswer] = useState<SetAnswer | undefined>(() =>
    visit === undefined ? undefined : answerOf(visit, fetched),
  );
  const draft = useRef<{ timer?: ReturnType<typeof setTimeout>; form?: FormData }>({});
  const isSaved = useRef(false);
  const [judging, setJudging] = useState(0);
  const write = async (form: FormData, state: 'draft' | 'unsent', withPhotos = photos) =>
    keepVisit(
      store,
      { id, rego: opened.rego, vin: opened.vin, vehicleId: opened.vehicleId, fields: fieldsOf(form) },
      { state, person: personOf(phone), now: new Date(), photos: withPhotos },
    );
  const keepDraft = () => {
    const { timer, form } = draft.current;
    clearTimeout(timer);
    draft.current = {};
    // A draft that finds no room is said when it is saved.
    if (form !== undefined && !isSaved.current) write(form, 'draft').catch(() => {});
  };
  const latest = useRef(keepDraft);
  useEffect(() => {
    latest.current = keepDraft;
  });
  useEffect(() => {
    const keep = () => latest.current();
    document.addEventListener('visibilitychange', keep);
    return () => {
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, []);
  const save = async (form: FormData) => {
    const read = readForm(form, fetched, new Date());
    if (read.input === undefined) return setAnswer(refusedBy(form, read));
    try {
      isSaved.current = true;
      await write(form, 'unsent');
    } catch {
      isSaved.current = false;
      return setAnswer({ ...refusedBy(form, read), failure: { sentence: NO_ROOM } });
    }
    void navigator.storage?.persist?.().catch(() => false);
    void navigate({ hash: `#saved/${id}` }, { replace: true });
    await askForSync();
    void field.refresh();
  };
  const refusedBy = (form: FormData, read: ReadSet): SetAnswer => {
    const units = unitsOf(form.getAll('unit').map(String), fetched, (name) => form.getAll(name));
    const answered: SetAnswer = answerTo(read);
    return { ...answered, more: { ...moreOf(read), units } };
  };
  const changePhotos = (next: readonly NewPhoto[]) => {
    setPhotos(next);
    const form = document.querySelector('form[enctype]');
    if (form instanceof HTMLFormElement) write(new FormData(form), 'draft', next).catch(() => {});
  };
  return (
    <SetForm
      loaded={opened}
      actionAnswer={answer}
      onPhone={{
        onAddUnit: (form) => setAnswer(withUnit(form, fetched, readForm(form, fetched, new Date()))),
        onSave: (form) => void save(form),
        onTyped: (form) => {
          clearTimeout(draft.current.timer);
          draft.current = { form, timer: setTimeout(() => latest.current(), TYPING_PAUSE_MS) };
        },
        isBusy: judging > 0,
        photo: (
          <PhonePhotos
            photos={photos}
            error={answer?.errors['photo']}
            judging={judging}
            onJudging={(change) => setJudging((before) => before + change)}
            onChange={changePhotos}
          />
        ),
        findReferences: (text) => Promise.resolve(findReferences(fetched, text)),
        back: '/field#outbox',
      }}
    />
  );
}

type OpenedOnPhone = OpenedSet & { vehicleId: string };

function openSet(
  fetched: Fetched | undefined,
  visit: KeptVisit | undefined,
  { id, rego, typedVin }: Pick<Asked, 'id' | 'rego' | 'typedVin'>,
): OpenedOnPhone {
  const known = visit?.rego ?? rego;
  const truck = fetched?.trucks.find((one) => one.rego === known);
  const zone = zoneOf(fetched);
  const now = new Date();
  const intervalDays = fetched?.policy.intervalDays ?? SUGGESTED_DAYS;
  const today = todayIn(zone, now);
  // A clock that is behind the registry's last answer is wrong: then the person says the day.
  const isTrusted = fetched === undefined || now.getTime() >= Date.parse(fetched.at);
  return {
    rego: known,
    // A truck whose record was fetched again meanwhile is confirmed as it is now.
    vin: truck?.vin ?? visit?.vin ?? typedVin,
    vehicleId: truck?.id ?? visit?.vehicleId ?? '',
    idempotencyKey: id,
    draftKey: '',
    visitDate: isTrusted ? today : '',
    zone,
    dueDate: isTrusted ? addDays(today, intervalDays) : '',
    intervalDays,
    longestIntervalDays: fetched?.policy.longestIntervalDays ?? MOST_INTERVAL_DAYS,
    axles: truck?.axles ?? axlesToRead('', { fitted: [], read: new Set() }),
    kind: truck?.kind ?? '',
    groupDetails: truck?.groupDetails ?? '',
  };
}

// What was typed, with the trailer that is added: one of those on this phone.
function withUnit(form: FormData, fetched: Fetched | undefined, read: ReadSet): SetAnswer {
  const parsed = parseRego(String(form.get('add_unit') ?? ''));
  const rego = parsed.ok ? (parsed.without?.rego ?? parsed.rego) : '';
  const added = fetched?.trucks.find((one) => one.rego === rego && (one.kind ?? '') !== '');
  const there = form.getAll('unit').map(String);
  const { values } = read;
  const errors =
    added === undefined ? { add_unit: 'No such trailer is on this phone. Fetch it while there is reception.' } : {};
  const regos = added === undefined || there.includes(rego) ? there : [...there, rego];
  return { values, errors, more: { ...moreOf(read), units: unitsOf(regos, fetched, (name) => form.getAll(name)) } };
}

const moreOf = ({ axles, warnings, codes, zone }: ReadSet) => ({ axles, warnings, codes, zone });

const unitsOf = (
  regos: readonly string[],
  fetched: Fetched | undefined,
  all: (name: string) => readonly unknown[],
): OpenedUnit[] =>
  regos.map((rego, place) => {
    const truck = fetched?.trucks.find((one) => one.rego === rego);
    const chosen = all(`${prefixOf(place)}axle`)
      .map(String)
      .filter(isAxle);
    return {
      rego,
      vin: truck?.vin ?? '',
      kind: truck?.kind ?? 'trailer',
      groupDetails: truck?.groupDetails ?? '',
      axles: chosen.length > 0 ? chosen : (truck?.axles ?? []),
    };
  });

// By the day that is stated where the clock is behind it: only the registry says that a visit is in the future.
function readForm(form: FormData, fetched: Fetched | undefined, clock: Date): ReadSet {
  const zone = zoneOf(fetched);
  const day = String(form.get('visit_date') ?? '');
  const stated = isDay(day) ? instantOfDay(day, zone) : clock;
  const isTrusted = fetched === undefined || clock.getTime() >= Date.parse(fetched.at);
  return readTyped(form, {
    zone,
    now: isTrusted || stated < clock ? clock : stated,
    longestIntervalDays: fetched?.policy.longestIntervalDays ?? MOST_INTERVAL_DAYS,
  });
}

// What was typed, and why the registry refused it.
function answerOf({ fields, answer }: KeptVisit, fetched: Fetched | undefined): SetAnswer {
  const all = (wanted: string) => fields.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const units = unitsOf(all('unit'), fetched, all);
  const more = { axles: all('axle').filter(isAxle), warnings: {}, codes: '', units };
  const shown: SetAnswer = { values: Object.fromEntries(fields), errors: {}, more };
  return answer?.recorded === false
    ? { ...shown, errors: answer.errors, failure: { sentence: answer.sentence } }
    : shown;
}

// Those whose name begins with the text come first, as in the registry's own search.
function findReferences(fetched: Fetched | undefined, text: string) {
  const words = foldName(text)
    .split(/[\s,]+/)
    .filter(Boolean);
  const found = (fetched?.references ?? []).filter(({ line }) => words.every((word) => foldName(line).includes(word)));
  const begins = ({ line }: { line: string }) => Number(!foldName(line).startsWith(words[0] ?? ''));
  return found.toSorted((a, b) => begins(a) - begins(b)).slice(0, REFERENCES_SUGGESTED);
}
