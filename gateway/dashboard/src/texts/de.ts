import { authentication } from './de/authentication.ts';
import { bookings } from './de/bookings.ts';
import { calendar } from './de/calendar.ts';
import { developers } from './de/developers.ts';
import { errors } from './de/errors.ts';
import { instructors } from './de/instructors.ts';
import { keys } from './de/keys.ts';
import { lessons } from './de/lessons.ts';
import { members } from './de/members.ts';
import { office } from './de/office.ts';
import { pools } from './de/pools.ts';
import { requests } from './de/requests.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { usage } from './de/usage.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  ...authentication,
  ...office,
  ...instructors,
  ...lessons,
  ...members,
  ...bookings,
  ...calendar,
  ...developers,
  ...keys,
  ...pools,
  ...requests,
  ...settings,
  ...shell,
  ...usage,
  ...errors,
};
