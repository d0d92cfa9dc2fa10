import './topics/identity/dashboard-attacks.js';
import './topics/identity/dashboard-sign-in.js';
import './topics/identity/dashboard-users.js';
