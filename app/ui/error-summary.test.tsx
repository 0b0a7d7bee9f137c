import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextField } from './field.tsx';
import { FormNotes } from './form-notes.tsx';

const page = (errors: Record<string, string>) =>
  renderToString(
    <>
      <FormNotes answer={{ errors }} />
      {['rego', 'vin'].map((name) => (
        <TextField key={name} name={name} label={name} error={errors[name]} />
      ))}
    </>,
  );

test('several errors are listed above the form, each as a link to its field', () => {
  const html = page({ rego: 'Enter the rego.', vin: 'Use at most 30 characters.' });
  for (const name of ['rego', 'vin']) {
    expect(html).toContain(`href="#field-${name}"`);
    expect(html).toContain(`id="field-${name}"`);
  }
  expect(html.indexOf('2 fields need another look')).toBeLessThan(html.indexOf('<input'));
});

test('one error stands at its field alone, which gets the focus', () => {
  expect(page({ rego: 'Enter the rego.' })).not.toContain('need another look');
});
