import { services } from '#app/platform/services.server.ts';
import { answerLabel } from '../answer-labels.server.ts';
import type { Route } from './+types/label';

export const loader = ({ context, params }: Route.LoaderArgs) => answerLabel(context.get(services), params.file);
