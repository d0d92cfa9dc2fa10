import { authentication } from './de/authentication.ts';
import { bookings } from './de/bookings.ts';
import { calendar } from './de/calendar.ts';
import { classes } from './de/classes.ts';
import { collecting } from './de/collecting.ts';
import { connections } from './de/connections.ts';
import { developers } from './de/developers.ts';
import { errors } from './de/errors.ts';
import { instructors } from './de/instructors.ts';
import { lessons } from './de/lessons.ts';
import { members } from './de/members.ts';
import { office } from './de/office.ts';
import { pools } from './de/pools.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  ...authentication,
  ...office,
  ...instructors,
  ...lessons,
  ...members,
  ...bookings,
  ...calendar,
  ...classes,
  ...collecting,
  ...connections,
  ...developers,
  ...pools,
  ...settings,
  ...shell,
  ...errors,
};
