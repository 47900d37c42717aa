import java.sql.*;
import java.util.*;

/** Drives a proxy and a server side by side by JDBC: Clients PROXY_PORT SERVER_PORT DATABASE. */
public class Clients {
    static final String SQL = "SELECT id, name, balance, joined, NULL::int AS nothing, joined::timestamptz AS at FROM customers ORDER BY id";
    static int failed;

    static void check(String name, Object got, Object want) {
        if (Objects.equals(got, want)) {
            System.out.println("ok " + name);
            return;
        }
        failed++;
        System.out.println("FAILED " + name + " " + got + " want " + want);
    }

    static List<List<Object>> rows(ResultSet r) throws SQLException {
        List<List<Object>> list = new ArrayList<>();
        ResultSetMetaData m = r.getMetaData();
        while (r.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 1; i <= m.getColumnCount(); i++) row.add(m.getColumnTypeName(i) + " " + r.getObject(i));
            list.add(row);
        }
        return list;
    }

    static Connection connect(String port, String database, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres&" + options);
    }

    public static void main(String[] a) throws Exception {
        String ask = "-- ask: run: " + SQL;
        for (String mode : new String[] {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"}) {
            String options = "preferQueryMode=" + mode;
            try (Connection direct = connect(a[1], a[2], options); Connection c = connect(a[0], a[2], options)) {
                List<List<Object>> want = rows(direct.createStatement().executeQuery(SQL));
                check(mode + " statement", rows(c.createStatement().executeQuery(ask)), want);
                // After five executions the driver prepares on the server and asks for binary.
                try (PreparedStatement p = c.prepareStatement(ask); PreparedStatement q = direct.prepareStatement(SQL)) {
                    for (int i = 0; i < 8; i++) check(mode + " prepared " + i, rows(p.executeQuery()), rows(q.executeQuery()));
                }
                try (PreparedStatement p = c.prepareStatement("select count(*) from customers where id > ?")) {
                    p.setInt(1, 50);
                    ResultSet r = p.executeQuery();
                    r.next();
                    check(mode + " statement after it", r.getLong(1), 50L);
                }
                try {
                    c.createStatement().executeQuery("-- ask: error: ASK02");
                    check(mode + " error", null, "ASK02");
                } catch (SQLException e) {
                    check(mode + " error", e.getSQLState(), "ASK02");
                }
                // A cursor in a transaction: max_rows, suspended portals.
                c.setAutoCommit(false);
                Statement s = c.createStatement();
                s.setFetchSize(7);
                check(mode + " fetch size", rows(s.executeQuery(ask)), want);
                c.commit();
                c.setAutoCommit(true);
                Statement w = c.createStatement();
                w.setQueryTimeout(1);
                try {
                    w.executeQuery("-- ask: wait");
                    check(mode + " query timeout", null, "57014");
                } catch (SQLException e) {
                    check(mode + " query timeout", e.getSQLState(), "57014");
                }
                check(mode + " afterwards", rows(c.createStatement().executeQuery(ask)), want);
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }
}
