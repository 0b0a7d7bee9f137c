// /profile/update/{id}: the former URL of the form that updates an admin.
import { redirect } from 'react-router';
import { emailSegment } from '#app/people/email-key.ts';
import { emailOf } from '../admin-action.server.ts';
import type { Route } from './+types/profile-update';

export function loader({ params }: Route.LoaderArgs) {
  throw redirect(`/admins/update/${emailSegment(emailOf('update', params.id))}`, 301);
}
