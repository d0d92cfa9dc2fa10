import './topics/bad-http.js';
import './topics/bad-input.js';
import './topics/dry-run.js';
import './topics/tenancy.js';
import './topics/idempotency.js';
import './topics/documents.js';
import './topics/examples.js';
