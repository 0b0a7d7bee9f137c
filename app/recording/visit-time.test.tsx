import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { VisitTime } from './visit-time.tsx';

const ZONE = 'Australia/Perth';
const form = (time: string | undefined, place?: string) =>
  renderToString(
    <VisitTime
      day={{ name: 'visit_date', defaultValue: '2026-11-20' }}
      time={{ name: 'visit_time', defaultValue: time }}
      restored={undefined}
      place={place}
      zone={ZONE}
    />,
  );

test('the time stands empty and is required, with its clock beside it', () => {
  const html = form(undefined);
  expect(html).toMatch(/<input type="time" required="" [^>]*name="visit_time"/);
  expect(/<input type="time"[^>]*>/.exec(html)?.[0]).not.toMatch(/value="\d/);
  expect(html).toContain('Perth time: the clock of this registry.');
  // Before scripts run nobody knows the weighbridge.
  expect(html).toContain('name="visit_zone" value=""');
});

test('what was typed is said by both clocks', () => {
  expect(form('22:46', 'Australia/Sydney')).toContain(
    'Sydney time: the clock of the weighbridge. 10:46 pm Sydney (7:46 pm in Perth).',
  );
});
