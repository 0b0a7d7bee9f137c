// Imported first: when a script of a test begins, before the page, code may still be made from text; later it may not.
import { z } from 'zod';

z.config({ jitless: true });
