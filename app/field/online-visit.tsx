// The form of a visit with reception. When the line is gone, the visit can be kept on the phone, and is sent from
// there.
import { useEffect, useState } from 'react';
import type { SetAnswer } from '#app/recording/set-answer.ts';
import { SetForm } from '#app/recording/set-form.tsx';
import { loadPart } from '#app/platform/http/page-data.ts';
import { draftStorage } from '#app/ui/drafts.ts';
import { useSite } from '#app/ui/site.ts';
import { SavedVisit } from './saved-visit.tsx';
import type { OpenedVisit } from './typed-visit.ts';

type Keep = typeof import('./keep-typed-visit.ts').keepTypedVisit;

export function OnlineVisit({ loaded, actionAnswer }: { loaded: OpenedVisit; actionAnswer: SetAnswer | undefined }) {
  const { signedIn } = useSite();
  // Nothing is offered before it is there.
  const [keep, setKeep] = useState<Keep>();
  const [isKept, setIsKept] = useState(false);
  // Why it was not kept, until the next answer of the registry.
  const [notKept, setNotKept] = useState<{ answer: SetAnswer; after: SetAnswer | undefined }>();
  useEffect(() => {
    void loadPart(() => import('./keep-typed-visit.ts')).then((part) => setKeep(() => part.keepTypedVisit));
  }, []);
  if (isKept)
    return (
      <main id="main" className="max-w-200">
        <SavedVisit>
          <a href="/field#start" className="button-look button-primary">
            Next truck
          </a>
          <a href="/field#outbox" className="button-look button-secondary">
            See the outbox
          </a>
        </SavedVisit>
      </main>
    );
  const onKeep = async (form: FormData, photos: readonly File[]) => {
    if (keep === undefined || signedIn === null) return;
    const { personId: id, name } = signedIn;
    const answer = await keep(loaded, { id, name }, { form, files: photos });
    const lost = actionAnswer?.lost;
    if (answer !== undefined)
      return setNotKept({ answer: lost === undefined ? answer : { ...answer, lost }, after: actionAnswer });
    draftStorage()?.removeItem(loaded.draftKey);
    return setIsKept(true);
  };
  return (
    <SetForm
      loaded={loaded}
      actionAnswer={notKept !== undefined && notKept.after === actionAnswer ? notKept.answer : actionAnswer}
      onKeep={keep === undefined ? undefined : (form, photos) => void onKeep(form, photos)}
    />
  );
}
