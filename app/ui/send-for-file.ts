// Buttons of a form that lead out of the page: to a file, or to a tab of its own. The browser sends the form itself
// then, and the page stays.
import type { SubmitEvent } from 'react';

/** Given to a form as `onSubmit`. Concerns its buttons with `formAction`. */
export function sendForFile(event: SubmitEvent<HTMLFormElement>): void {
  const { currentTarget: form, nativeEvent } = event;
  const { submitter } = nativeEvent;
  if (!(submitter instanceof HTMLButtonElement) || !submitter.hasAttribute('formaction')) return;
  event.preventDefault();
  // As text: the property would give the whole address, which the router takes for a path.
  const action = form.getAttribute('action') ?? '';
  form.setAttribute('action', submitter.getAttribute('formaction') ?? action);
  form.target = submitter.formTarget;
  form.submit();
  form.setAttribute('action', action);
  form.removeAttribute('target');
}
