import { services } from '#app/platform/services.server.ts';
import { answerSheet } from '../answer-labels.server.ts';
import type { Route } from './+types/sheet';

export const loader = ({ context, url }: Route.LoaderArgs) => answerSheet(context.get(services), url);
