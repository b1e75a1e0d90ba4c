/** The tests in a browser, with one browser and one demonstration for all files. */
import '../web/accessibility.test.ts';
import '../web/delivery.test.ts';
import '../web/old-quotes.test.ts';
import '../web/story.test.ts';
