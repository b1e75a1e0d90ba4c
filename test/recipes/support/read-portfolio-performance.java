import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.ReadContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads responses with the library of Portfolio Performance and its options, and parses URLs with the class
 * that its HTTP client uses. It answers all questions of a test in one run, because a start of Java takes a
 * second. Standard input is a document {@code {"urls": […], "reads": [{"json": …, "paths": {name: path}}]}}.
 * Standard output has the URLs that are refused, with the reason, and the values of each path.
 */
class ReadPortfolioPerformance {
    public static void main(String[] args) throws Exception {
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        ReadContext questions = JsonPath.parse(input);

        Map<String, String> refused = new HashMap<>();
        for (String url : questions.<List<String>>read("$.urls")) {
            try {
                new URI(url);
            } catch (URISyntaxException fault) {
                refused.put(url, fault.getReason());
            }
        }

        Configuration options = Configuration.defaultConfiguration()
            .addOptions(Option.ALWAYS_RETURN_LIST)
            .addOptions(Option.DEFAULT_PATH_LEAF_TO_NULL);
        List<Map<String, List<Object>>> answers = new ArrayList<>();
        for (Map<String, Object> question : questions.<List<Map<String, Object>>>read("$.reads")) {
            ReadContext response = JsonPath.parse((String) question.get("json"), options);
            Map<String, List<Object>> values = new HashMap<>();
            ((Map<?, ?>) question.get("paths")).forEach(
                (name, path) -> values.put((String) name, response.read((String) path)));
            answers.add(values);
        }

        Map<String, Object> output = Map.of("refused", refused, "reads", answers);
        byte[] json = options.jsonProvider().toJson(output).getBytes(StandardCharsets.UTF_8);
        System.out.write(json, 0, json.length);
        System.out.flush();
    }
}
