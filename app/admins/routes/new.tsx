import { FAILURES } from '#app/forms/failures.ts';
import { useState } from 'react';
import { newFormKey } from '#app/platform/database/form-key.server.ts';
import { sendForm } from '#app/ui/keep-typed.ts';
import { addAction } from '../admin-door.server.ts';
import { AdminForm } from '../admin-form.tsx';
import type { Route } from './+types/new';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Add new Admin · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export const loader = () => ({ formKey: newFormKey() });

export const action = (args: Route.ActionArgs) => addAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.addAdmin);

export default function NewAdmin({ loaderData, actionData }: Route.ComponentProps) {
  const [{ formKey }] = useState(loaderData);
  return (
    <AdminForm
      title="Add new Admin"
      button="Add Admin"
      values={{}}
      formKey={formKey}
      image={undefined}
      answer={actionData}
      back="/admins"
    />
  );
}
