// Which truck: to start a visit to it, or to keep it on the phone. A truck that is not on the phone can be visited too:
// then its VIN is typed as it stands on the truck, and the registry compares it.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextField } from '#app/ui/field.tsx';
import { Note } from '#app/ui/note.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { knownVin, normaliseSearch, parseRego, stateQuestion, VIN_MAX_LENGTH } from '#app/vehicles/vehicle.ts';
import { isCalled } from './field.ts';
import { BackToTrucks } from './truck-view.tsx';
import type { Field, OnThisPhone } from './use-field.ts';

const REGOS_SHOWN = 8;

// Without a state, as most are typed for a look.
const needleOf = (typed: string): string => {
  const parsed = parseRego(typed);
  return (parsed.ok ? parsed.without?.rego : undefined) ?? normaliseSearch(typed);
};

type Problem = { rego?: string; vin?: string };

export function StartView({ field, phone, purpose }: { field: Field; phone: OnThisPhone; purpose: 'start' | 'add' }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>({});
  const [isBusy, setIsBusy] = useState(false);
  const trucks = phone.fetched?.trucks ?? [];
  const needle = needleOf(typed);
  const isHere = trucks.some(({ rego }) => rego === needle);
  const shown = needle === '' ? [] : trucks.filter(({ rego }) => rego.includes(needle)).slice(0, REGOS_SHOWN);
  const go = (hash: string) => void navigate({ hash });
  const start = (rego: string, vin: string) =>
    go(`#visit/${crypto.randomUUID()}/${encodeURIComponent(rego)}/${encodeURIComponent(vin)}`);

  const add = async (rego: string) => {
    setIsBusy(true);
    await phone.store.put('regos', { rego, isStarred: false });
    const fetched = await field.refresh();
    setIsBusy(false);
    const isThere = fetched?.trucks.some((truck) => isCalled(truck, rego)) === true;
    // Anybody who went on meanwhile is not called back.
    if (isThere) return window.location.hash === '#add' ? go(`#truck/${encodeURIComponent(rego)}`) : undefined;
    if (fetched === undefined)
      return setProblem({ rego: `There is no signal, or you are not signed in. ${rego} is fetched when there is.` });
    await phone.store.delete('regos', rego);
    await field.changed();
    return setProblem({ rego: `${rego} is not in the registry.` });
  };

  const submit = (form: FormData) => {
    const text = String(form.get('rego') ?? '');
    const rego = parseRego(text);
    if (!rego.ok) return setProblem({ rego: rego.message });
    const names = [rego.rego, rego.without?.rego ?? rego.rego];
    const here = trucks.find((truck) => names.some((one) => isCalled(truck, one)))?.rego;
    if (here !== undefined) return purpose === 'add' ? void add(here) : start(here, '');
    const question = stateQuestion(text);
    if (question !== undefined) return setProblem({ rego: question });
    setProblem({});
    if (purpose === 'add') return void add(rego.rego);
    const vin = knownVin(normaliseSearch(String(form.get('vin') ?? '')));
    return vin === ''
      ? setProblem({ vin: `${rego.rego} is not on this phone. Type the VIN as it stands on the truck.` })
      : start(rego.rego, vin);
  };
  const addWords = isBusy ? 'Fetching...' : 'Add this truck';
  return (
    <>
      <BackToTrucks />
      <h1 className="text-xl">{purpose === 'start' ? 'Start a visit' : 'Add a truck'}</h1>
      {purpose === 'add' && field.signal === 'no answer' ? (
        <Note kind="info">There is no signal. What you add is fetched when there is.</Note>
      ) : null}
      <form
        noValidate
        className="card grid gap-5 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) submit(new FormData(event.currentTarget));
        }}
      >
        <TextField
          name="rego"
          label="Rego"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={problem.rego}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        {purpose === 'start' && needle !== '' && !isHere ? (
          <TextField
            name="vin"
            label="VIN, as it stands on the truck"
            hint="Only for a truck that is not on this phone. The registry compares it with its record."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={VIN_MAX_LENGTH}
            error={problem.vin}
          />
        ) : null}
        <button type="submit" aria-disabled={isBusy || undefined} className="button-look button-primary">
          {purpose === 'start' ? 'Start a visit' : addWords}
        </button>
      </form>
      {purpose === 'start' && shown.length > 0 ? (
        <ul className="card divide-y divide-line" aria-label="On this phone">
          {shown.map(({ rego }) => (
            <li key={rego} className="flex items-center justify-between gap-4 p-4">
              <RegoChip rego={rego} />
              <ButtonLink to={{ hash: `#truck/${encodeURIComponent(rego)}` }}>Open</ButtonLink>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
