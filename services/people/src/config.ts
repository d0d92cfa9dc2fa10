import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';
import { arePeppersClear, pepperSettings } from './pepper-settings.js';

/** What the people service reads from its environment. */
export const config = readConfig(
  z.object({ ...serviceConfig, ...pepperSettings }).refine(arePeppersClear, {
    path: ['KEY_PEPPERS'],
    error: 'names another pepper of the version that KEY_PEPPER has',
  }),
);
