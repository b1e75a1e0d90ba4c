/** The browser tests. All files share one browser and one demonstration. */
import '../web/accessibility.test.ts';
import '../web/delivery.test.ts';
import '../web/old-quotes.test.ts';
import '../web/story.test.ts';
