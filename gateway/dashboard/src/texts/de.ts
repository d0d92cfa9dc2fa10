import { authentication } from './de/authentication.ts';
import { calendar } from './de/calendar.ts';
import { developers } from './de/developers.ts';
import { keys } from './de/keys.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  ...authentication,
  ...calendar,
  ...developers,
  ...keys,
  ...settings,
  ...shell,
};
