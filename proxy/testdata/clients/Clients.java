import java.sql.*;
import java.io.*;
import java.util.*;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyManager;
import org.postgresql.largeobject.*;

/** Drives a proxy and a server side by side by JDBC: Clients PROXY_PORT SERVER_PORT DATABASE [CA]. */
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
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=driver_role&" + options);
    }

    static String state(String sql, Statement s) {
        try {
            s.execute(sql);
            return "no error";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    /** What JDBC has beside statements, the question in each form. */
    static void beside(String mode, Connection c, Connection direct, List<List<Object>> want) throws Exception {
        for (String form : new String[] {"/* ask: run: " + SQL + " */", "ASK $$run: " + SQL + "$$", "SELECT * FROM ask($$run: " + SQL + "$$) AS r"}) {
            check(mode + " " + form.substring(0, 8), rows(c.createStatement().executeQuery(form)), want);
        }
        check(mode + " error", state("select nosuch", c.createStatement()), "42703");

        c.createStatement().execute("create temp table t (i int, s text)");
        try (PreparedStatement p = c.prepareStatement("insert into t values (?, ?)")) {
            for (int i = 0; i < 1000; i++) {
                p.setInt(1, i);
                p.setString(2, "x" + i);
                p.addBatch();
            }
            check(mode + " batch", Arrays.stream(p.executeBatch()).sum(), 1000);
        }
        if (!mode.equals("simple")) {
            // A batch is a pipeline; a failure in it ends it.
            try (PreparedStatement p = c.prepareStatement("insert into t values (1000 / ?, 'y')")) {
                for (int i : new int[] {1, 2, 0, 4}) {
                    p.setInt(1, i);
                    p.addBatch();
                }
                p.executeBatch();
                check(mode + " batch that fails", null, "22012");
            } catch (BatchUpdateException e) {
                check(mode + " batch that fails", e.getSQLState(), "22012");
            }
        }
        CopyManager copy = c.unwrap(PGConnection.class).getCopyAPI();
        StringBuilder in = new StringBuilder();
        for (int i = 0; i < 1000; i++) in.append(i).append("\ty\n");
        check(mode + " COPY in", copy.copyIn("copy t from stdin", new StringReader(in.toString())), 1000L);
        StringWriter out = new StringWriter();
        copy.copyOut("copy (select * from t where s = 'y' order by i) to stdout", out);
        check(mode + " COPY out", out.toString(), in.toString());
        try {
            copy.copyIn("copy t from stdin", new StringReader("no number\tx\n"));
            check(mode + " COPY that fails", null, "22P02");
        } catch (SQLException e) {
            check(mode + " COPY that fails", e.getSQLState(), "22P02");
        }

        c.createStatement().execute("listen news");
        direct.createStatement().execute("notify news, 'hello'");
        PGNotification[] heard = c.unwrap(PGConnection.class).getNotifications(10000);
        check(mode + " notification", heard == null || heard.length == 0 ? null : heard[0].getParameter(), "hello");

        c.setAutoCommit(false);
        LargeObjectManager objects = c.unwrap(PGConnection.class).getLargeObjectAPI();
        byte[] large = "large".repeat(20000).getBytes();
        long oid = objects.createLO();
        try (LargeObject o = objects.open(oid, LargeObjectManager.READWRITE)) {
            o.write(large);
            o.seek(0);
            check(mode + " large object", Arrays.equals(o.read(large.length), large), true);
        }
        check(mode + " question in a transaction", rows(c.createStatement().executeQuery("-- ask: run: " + SQL)), want);
        c.rollback();
        c.setAutoCommit(true);

        for (String text : new String[] {"select pg_sleep(30)", "-- ask: wait"}) {
            Statement s = c.createStatement();
            Thread t = new Thread(() -> {
                try {
                    Thread.sleep(300);
                    s.cancel();
                } catch (Exception e) {
                    check(mode + " cancel", e, null);
                }
            });
            t.start();
            check(mode + " cancel of " + text, state(text, s), "57014");
            t.join();
        }
    }

    // What programs over the driver are known to do, by their sources: Metabase's native query with its remark and a variable, DBeaver's editor
    // with its limit and its count of all rows, Hibernate's setMaxResults. The programs themselves were not run.
    static void tools(String mode, Connection c, Connection direct, List<List<Object>> want) throws SQLException {
        c.setReadOnly(true);
        c.setAutoCommit(false);
        String remark = "-- Metabase:: userID: 1 queryType: native queryHash: 22df1740fa126b46\n";
        for (String text : new String[] {"-- ask: run: " + SQL, "SELECT * FROM ask('run: " + SQL.replace("'", "''") + "') AS r"}) {
            try (PreparedStatement p = c.prepareStatement(remark + text, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
                p.setFetchDirection(ResultSet.FETCH_FORWARD);
                p.setFetchSize(500);
                p.setMaxRows(2000);
                check(mode + " Metabase", rows(p.executeQuery()), want);
            }
        }
        if (!mode.equals("simple")) {
            try (PreparedStatement p = c.prepareStatement(remark + "SELECT * FROM ask(?) AS r")) {
                p.setString(1, "run: " + SQL);
                check(mode + " Metabase's variable", rows(p.executeQuery()), want);
            }
        }
        c.rollback();
        c.setReadOnly(false);
        c.setAutoCommit(true);
        for (String text : new String[] {"-- ask: run: " + SQL, "/* ask: run: " + SQL + " */", "ASK $$run: " + SQL + "$$"}) {
            try (Statement s = c.createStatement(); Statement q = direct.createStatement()) {
                s.setMaxRows(20); // the driver knows no such limit in simple queries
                q.setMaxRows(20);
                check(mode + " DBeaver, its rows", rows(s.executeQuery(text)), rows(q.executeQuery(SQL)));
                check(mode + " DBeaver, the SQL", s.getWarnings() != null && s.getWarnings().getMessage().contains("FROM customers"), true);
                if (text.startsWith("ASK")) continue; // its text in dollar quotes is no question inside a statement
                ResultSet r = s.executeQuery("SELECT COUNT(*) FROM (" + text + "\n) dbvrcnt");
                r.next();
                check(mode + " DBeaver's count", r.getLong(1), (long) want.size());
            }
        }
        try (PreparedStatement p = c.prepareStatement("/* ask: run: " + SQL + " */ fetch first ? rows only")) {
            p.setInt(1, 3);
            check(mode + " Hibernate's setMaxResults", rows(p.executeQuery()), want.subList(0, 3));
        }
    }

    public static void main(String[] a) throws Exception {
        String ask = "-- ask: run: " + SQL;
        String login = "sslmode=disable&password=secret";
        if (a.length > 3) {
            login = "sslmode=verify-full&sslrootcert=" + a[3] + "&password=secret";
            try (Connection c = connect(a[0], a[2], login.replace("=secret", "=wrong"))) {
                check("wrong password", null, "28P01");
            } catch (SQLException e) {
                check("wrong password", e.getSQLState(), "28P01");
            }
        }
        for (String mode : new String[] {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"}) {
            String options = "preferQueryMode=" + mode;
            try (Connection direct = connect(a[1], a[2], options); Connection c = connect(a[0], a[2], options + "&" + login)) {
                List<List<Object>> want = rows(direct.createStatement().executeQuery(SQL));
                check(mode + " statement", rows(c.createStatement().executeQuery(ask)), want);
                // After five executions the driver prepares on the server and asks for binary.
                try (PreparedStatement p = c.prepareStatement(ask); PreparedStatement q = direct.prepareStatement(SQL)) {
                    for (int i = 0; i < 8; i++) check(mode + " prepared " + i, rows(p.executeQuery()), rows(q.executeQuery()));
                }
                // Parameters around an answer, and a cursor over it.
                c.setAutoCommit(false);
                try (PreparedStatement p = c.prepareStatement("select * from ask('run: " + SQL.replace("'", "''") + "') r where r.id > ? and r.name like ? order by id");
                     PreparedStatement q = direct.prepareStatement("select * from (" + SQL + ") r where r.id > ? and r.name like ? order by id")) {
                    for (int i = 0; i < 6; i++) {
                        for (PreparedStatement s : new PreparedStatement[] {p, q}) {
                            s.setInt(1, 10 * i);
                            s.setString(2, "c%");
                            s.setFetchSize(7);
                        }
                        check(mode + " call " + i, rows(p.executeQuery()), rows(q.executeQuery()));
                    }
                }
                c.commit();
                c.setAutoCommit(true);
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
                // The driver sends BEGIN in the pipeline of the question, and the transaction stays as it is.
                c.setAutoCommit(false);
                check(mode + " error, autocommit off", state("-- ask: error: ASK02", c.createStatement()), "ASK02");
                check(mode + " the transaction goes on", rows(c.createStatement().executeQuery("select 1 as x")), rows(direct.createStatement().executeQuery("select 1 as x")));
                c.commit();
                c.setAutoCommit(true);
                try (PreparedStatement p = c.prepareStatement("ASK run: select ? || 'x' as x")) {
                    for (int i = 0; i < 8; i++) {
                        p.setString(1, "O'Neil " + i);
                        ResultSet r = p.executeQuery();
                        r.next();
                        check(mode + " value in a question " + i, r.getString(1), "O'Neil " + i + "x");
                    }
                }
                if (!mode.equals("simple")) {
                    try (PreparedStatement p = c.prepareStatement("select * from ask(?) r")) {
                        for (int i = 0; i < 8; i++) {
                            p.setString(1, "run: " + SQL);
                            check(mode + " question as a parameter " + i, rows(p.executeQuery()), want);
                        }
                    }
                }
                tools(mode, c, direct, want);
                // A cursor in a transaction: max_rows, suspended portals.
                c.setAutoCommit(false);
                Statement s = c.createStatement();
                s.setFetchSize(7);
                check(mode + " fetch size", rows(s.executeQuery(ask)), want);
                // The rows go on behind a savepoint that is rolled back.
                try (ResultSet r = s.executeQuery(ask)) {
                    int n = 0;
                    while (r.next()) {
                        if (n++ != 0) continue;
                        java.sql.Savepoint saved = c.setSavepoint();
                        state("select 1/0", c.createStatement());
                        c.rollback(saved);
                    }
                    check(mode + " fetch size, savepoint", n, want.size());
                }
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
                beside(mode, c, direct, want);
                check(mode + " afterwards", rows(c.createStatement().executeQuery(ask)), want);
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }
}
