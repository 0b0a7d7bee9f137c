// The mails to technicians about their visits.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { letter, type Letters } from '#app/platform/mail/letter.ts';

export const CALIBRATION_LETTERS: Letters = {
  'visit-decided': ({ config }, _tx, { facts }) => {
    const { rego = '', day = '', decision = '', reason = '', due = '' } = facts;
    const isAccepted = decision === 'accepted';
    return letter(config.registryName, `${rego}: your visit ${isAccepted ? 'counts' : 'was set aside'}`, {
      parts: [
        isAccepted
          ? `An administrator accepted your visit of ${day} to ${rego}. It counts now.`
          : `An administrator set aside your visit of ${day} to ${rego}. It does not count. It stays to be seen, marked.`,
        ...(reason === '' ? [] : [`The reason: ${reason}.`]),
        due === '' ? 'The truck has no due date now.' : `The truck’s calibration is due on ${due}.`,
        'See the truck, and your visits:',
        { link: `${publicOrigin(config)}/vehicles/view/${rego}` },
        { link: `${publicOrigin(config)}/my-visits` },
      ],
    });
  },
};
