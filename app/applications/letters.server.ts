// The mails to applicants.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { letter, type Letters } from '#app/platform/mail/letter.ts';
import { FIRST_LINK_LIFE_MS, makeResetToken } from '#app/sign-in/reset-password.server.ts';

export const APPLICATION_LETTERS: Letters = {
  'application-received': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'Your request', {
      parts: [
        `${config.registryName} has received the request of ${facts['company'] ?? ''} to be listed as a calibration technician.`,
        'An administrator checks each request. We will email you the decision.',
        'If you did not ask for this, you can ignore this email.',
      ],
    }),
  'application-already-registered': ({ config }, _tx, { recipient }) =>
    letter(config.registryName, 'You have an account', {
      parts: [
        `Somebody asked to be listed as a calibration technician with the address ${recipient}, which has an account already.`,
        'Sign in with it, or reset the password:',
        { link: `${publicOrigin(config)}/tech-login` },
        'If you did not ask for this, you can ignore this email.',
      ],
    }),
  'application-already-requested': ({ config }, _tx, { recipient }) =>
    letter(config.registryName, 'Your request', {
      parts: [
        `There is already a request with the address ${recipient}. An administrator will decide on it, and we will email you the decision.`,
        'If you did not ask for this, you can ignore this email.',
      ],
    }),
  'application-declined': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'Your request', {
      parts: [
        `The request of ${facts['company'] ?? ''} to be listed as a calibration technician was not accepted.`,
        ...(facts['reason'] === undefined || facts['reason'] === '' ? [] : [`The reason: ${facts['reason']}`]),
        'You can apply again:',
        { link: `${publicOrigin(config)}/tech-register` },
      ],
    }),
  'technician-approved': ({ config }, _tx, { recipient }) =>
    letter(config.registryName, 'You are a technician now', {
      parts: [
        `Your request was approved. Sign in as ${recipient}:`,
        { link: `${publicOrigin(config)}/tech-login` },
        'An administrator will give you a temporary password. You will choose your own when you first sign in.',
      ],
    }),
  'technician-approved-link': async ({ config, now }, tx, { recipient }) => {
    const made = await makeResetToken(tx, recipient, { now: now(), lifeMs: FIRST_LINK_LIFE_MS });
    if (made === undefined) return null;
    return letter(config.registryName, 'You are a technician now', {
      parts: [
        'Your request was approved. Use this link to choose your password. It works once, within three days:',
        { link: `${publicOrigin(config)}/reset/${made.token}` },
        `Then sign in as ${recipient}:`,
        { link: `${publicOrigin(config)}/tech-login` },
      ],
    });
  },
};
