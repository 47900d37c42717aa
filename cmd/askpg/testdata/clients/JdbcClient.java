import java.sql.*;
import java.util.*;

/** Asks through pgjdbc: plain and prepared statements (beyond the prepare threshold, so that results turn binary), simple and extended mode. */
public class JdbcClient {
    static List<List<Object>> rows(ResultSet r) throws SQLException {
        ResultSetMetaData m = r.getMetaData();
        List<List<Object>> all = new ArrayList<>();
        List<Object> types = new ArrayList<>();
        for (int i = 1; i <= m.getColumnCount(); i++) types.add(m.getColumnTypeName(i));
        all.add(types);
        while (r.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 1; i <= m.getColumnCount(); i++) row.add(r.getObject(i));
            all.add(row);
        }
        all.subList(1, all.size()).sort(Comparator.comparing(Object::toString)); // no order was asked for
        return all;
    }

    static void same(Object got, Object want, String what) {
        if (!got.equals(want)) throw new AssertionError(what + "\n got " + got + "\nwant " + want);
    }

    public static void main(String[] a) throws Exception {
        String proxy = a[0], direct = a[1], question = a[2], gold = a[3];
        List<List<Object>> want;
        try (Connection d = DriverManager.getConnection(direct); Statement s = d.createStatement()) {
            want = rows(s.executeQuery(gold));
        }
        String[] texts = {
            "ASK $$" + question + "$$",
            "/* ask: " + question + " */",
            "-- ask: " + question,
            "SELECT * FROM ask('" + question.replace("'", "''") + "') AS r",
        };
        for (String mode : new String[] {"simple", "extended", "extendedForPrepared"}) {
            String join = proxy.contains("?") ? "&" : "?";
            try (Connection p = DriverManager.getConnection(proxy + join + "preferQueryMode=" + mode)) {
                for (String text : texts) {
                    try (Statement s = p.createStatement()) {
                        same(rows(s.executeQuery(text)), want, mode + " " + text);
                    }
                    try (PreparedStatement s = p.prepareStatement(text)) {
                        for (int i = 0; i < 7; i++) same(rows(s.executeQuery()), want, mode + " prepared, run " + i + ": " + text);
                    }
                    p.setAutoCommit(false);
                    try (PreparedStatement s = p.prepareStatement(text)) {
                        s.setFetchSize(1);
                        same(rows(s.executeQuery()), want, mode + " fetch size 1: " + text);
                    }
                    p.commit();
                    p.setAutoCommit(true);
                    System.out.println("ok " + mode + " " + text);
                }
                // One statement for all questions, whose answers have other columns, beyond the threshold too.
                try (PreparedStatement s = p.prepareStatement("SELECT * FROM ask(?) AS r"); Statement u = p.createStatement()) {
                    for (int i = 0; i < 14; i++) {
                        String q = i % 3 == 0 ? question : i % 3 == 1 ? "customers in region North" : "number of customers per region";
                        s.setString(1, q);
                        same(rows(s.executeQuery()), rows(u.executeQuery("ASK $$" + q + "$$")), mode + " one statement, run " + i + ": " + q);
                    }
                    System.out.println("ok " + mode + " one statement");
                }
            }
        }
    }
}
