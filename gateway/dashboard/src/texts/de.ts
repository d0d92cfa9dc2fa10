import { authentication } from './de/authentication.ts';
import { bookings } from './de/bookings.ts';
import { calendar } from './de/calendar.ts';
import { developers } from './de/developers.ts';
import { keys } from './de/keys.ts';
import { members } from './de/members.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  ...authentication,
  ...members,
  ...bookings,
  ...calendar,
  ...developers,
  ...keys,
  ...settings,
  ...shell,
};
