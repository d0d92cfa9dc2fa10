import './topics/booking.js';
import './topics/calendar.js';
import './topics/holds.js';
import './topics/instructors.js';
import './topics/progress.js';
import './topics/lists.js';
import './topics/webhooks.js';
import './topics/event-streams.js';
