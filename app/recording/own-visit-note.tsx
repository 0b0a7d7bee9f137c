// What a technician reads of their own visit. No hue: a visit's state is no verdict.
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleX from 'lucide-react/icons/circle-x';
import Hourglass from 'lucide-react/icons/hourglass';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { OwnVisit } from './own-visit.ts';
import type { VisitState } from '#app/visits/visit.ts';
import { outcomeWords, previewWords, type OutcomeWords, type VisitOutcome } from '#app/visits/visit-outcome.ts';

const ICONS = {
  open: CircleDashed,
  counts: CircleCheck,
  partial: CircleDashed,
  waits: Hourglass,
  accepted: CircleCheck,
  'set-aside': CircleX,
  'taken-over': CircleCheck,
} as const satisfies Record<VisitState, unknown>;

/** The icon of a visit's state. */
export function StateIcon({ state }: { state: VisitState }) {
  const Icon = ICONS[state];
  return <Icon size={18} aria-hidden="true" className="shrink-0" />;
}

function Box({ state, words, children }: { state: VisitState; words: OutcomeWords; children?: ReactNode }) {
  const Icon = ICONS[state];
  return (
    <div role="status" className="flex gap-3 rounded-md border border-line-strong bg-sunken px-4 py-2.5">
      <Icon size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="grid min-w-0 grow gap-1 wrap-anywhere">
        <p>
          <strong>{words.lead}</strong>
          {words.rest === '' ? null : ` ${words.rest}`}
        </p>
        {children}
      </div>
    </div>
  );
}

/** What became of a visit that closed. */
export const OutcomeNote = ({ outcome, children }: { outcome: VisitOutcome; children?: ReactNode }) => (
  <Box state={outcome.state} words={outcomeWords(outcome)}>
    {children}
  </Box>
);

/** The person's own visit, on the vehicle's page. */
export function OwnVisitNote({ rego, visit }: { rego: string; visit: OwnVisit }) {
  return (
    <div className="no-print">
      {visit.state === 'closed' ? (
        <OutcomeNote outcome={visit.outcome}>
          <p>{`Time of the visit: ${visit.when}.`}</p>
          <MyVisits />
        </OutcomeNote>
      ) : (
        <Box state="open" words={{ lead: 'Your visit is open.', rest: `${visit.words}.` }}>
          <p className="flex flex-wrap gap-x-5">
            <Link
              to={`${href('/vehicles/view/:rego', { rego })}?calibrate`}
              preventScrollReset
              className="inline-flex min-h-11 items-center font-semibold"
            >
              Continue or finish
            </Link>
            <MyVisits />
          </p>
        </Box>
      )}
    </div>
  );
}

const MyVisits = () => (
  <Link to="/my-visits" className="inline-flex min-h-11 items-center font-semibold">
    My visits
  </Link>
);

/** An open visit, what is missing, and what follows if it ends now. `finishing`: the id of the form that ends it. */
export function OpenVisitPanel({ visit, finishing }: { visit: OwnVisit & { state: 'open' }; finishing: string }) {
  const { lead, rest } = previewWords(visit.ifFinished, 'If you finish now, it');
  return (
    <Box state="open" words={{ lead: `${visit.words}.`, rest: '' }}>
      <p>{`${lead} ${rest}`}</p>
      <div>
        <SubmitButton form={finishing} look="secondary">
          Finish
        </SubmitButton>
      </div>
    </Box>
  );
}

// Threat: a calibration of a truck that was never there.
/** Asked once a visit. */
export function ConfirmTruck({ vin, isGiven }: { vin: string; isGiven: boolean }) {
  return (
    <div className="grid gap-1">
      <label className="choice-tile py-2">
        <input
          type="checkbox"
          name="confirmed"
          value="yes"
          defaultChecked={isGiven}
          aria-describedby="confirmed-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {vin === '' ? 'I read this rego on the truck. No VIN is recorded.' : 'I read this rego and VIN on the truck'}
      </label>
      <p id="confirmed-hint" className="text-sm text-ink-2">
        Once a visit. Without it the visit will wait for an administrator.
      </p>
    </div>
  );
}
