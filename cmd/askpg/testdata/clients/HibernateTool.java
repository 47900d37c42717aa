import java.util.*;
import org.hibernate.*;
import org.hibernate.cfg.Configuration;

/**
 * Hibernate's native queries: with values, limited, paged and scrolled.
 *
 *     HibernateTool.java ASKPG_PORT SERVER_PORT
 */
public class HibernateTool {
    static final String COUNT = "how many customers in Germany", NAMES = "customers in Germany", WRONG = "how many florps";
    static final String SQL = "SELECT count(*) FROM customers WHERE country = 'Germany'";
    static final String NAMES_SQL = "SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1";
    static boolean failed;

    static void check(String name, Object got, Object want) {
        if (got.equals(want)) {
            System.out.println("ok " + name);
        } else {
            failed = true;
            System.out.println("FAILED " + name + ": " + got + ", want " + want);
        }
    }

    static SessionFactory through(String port) {
        return new Configuration().setProperty("hibernate.connection.url", "jdbc:postgresql://127.0.0.1:" + port + "/shop?user=analyst&sslmode=disable")
            .setProperty("hibernate.connection.driver_class", "org.postgresql.Driver")
            .setProperty("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
            .setProperty("hibernate.use_sql_comments", "true") // it writes what the query is into a comment before it
            .buildSessionFactory();
    }

    static SQLQuery query(Session s, String text) {
        return s.createSQLQuery(text);
    }

    public static void main(String[] a) {
        String count, sql;
        List<?> all;
        try (Closing d = new Closing(through(a[1]))) {
            count = query(d.session, SQL).uniqueResult().toString();
            all = query(d.session, NAMES_SQL).list();
        }
        try (Closing p = new Closing(through(a[0]))) {
            Session s = p.session; // autocommit is off in each of its transactions
            for (String form : new String[] {"ASK '" + COUNT + "'", "ASK " + COUNT, "SELECT * FROM ask('" + COUNT + "') AS r"}) {
                Transaction t = s.beginTransaction();
                for (int i = 0; i < 7; i++) { // beyond the driver's prepareThreshold
                    check(form + ", " + i, query(s, form).uniqueResult().toString(), count);
                }
                t.commit();
            }
            check("value", query(s, "ASK how many customers in :country").setString("country", "Germany").uniqueResult().toString(), count);
            check("value by place", query(s, "ASK how many customers in ?").setString(0, "Germany").uniqueResult().toString(), count);
            check("question bound", query(s, "SELECT * FROM ask(:q) AS r").setString("q", COUNT).uniqueResult().toString(), count);
            check("its SQL", query(s, "SELECT sql FROM ask(:q, 'sql') AS r").setString("q", COUNT).uniqueResult(), SQL);
            // Its dialect writes limit ? offset ? behind the text.
            for (String form : new String[] {"SELECT name FROM ask('" + NAMES + "') AS r ORDER BY 1", "SELECT name FROM (ASK 'name of " + NAMES + "') t ORDER BY 1", "ASK 'name of " + NAMES + "' ORDER BY 1"}) {
                check("setMaxResults, " + form, query(s, form).setMaxResults(2).list(), all.subList(0, 2));
                check("setFirstResult, " + form, query(s, form).setFirstResult(1).setMaxResults(2).list(), all.subList(1, 3));
            }
            // This version looks for parameters in comments too.
            String comment = "";
            try {
                query(s, "/* ask: " + COUNT + " */").list();
            } catch (QueryException e) {
                comment = e.getMessage();
            }
            check("a comment", comment.contains("after parameter prefix ':'"), true);
            Transaction t = s.beginTransaction();
            List<Object> got = new ArrayList<>();
            ScrollableResults rows = query(s, "ASK 'name of " + NAMES + "'").setFetchSize(2).scroll(ScrollMode.FORWARD_ONLY);
            while (rows.next()) got.add(rows.get(0));
            rows.close();
            got.sort(Comparator.comparing(Object::toString));
            check("scrolled", got, all);
            String error = "";
            try {
                query(s, "ASK '" + WRONG + "'").list();
            } catch (HibernateException e) {
                error = ((java.sql.SQLException) e.getCause()).getSQLState() + (e.getCause().getMessage().contains("florps") && e.getCause().getMessage().contains("Hint:") ? " whole" : " " + e.getCause().getMessage());
            }
            check("error", error, "ASK01 whole");
            check("the transaction goes on", query(s, "SELECT 1").uniqueResult(), 1);
            t.commit();
        }
        System.exit(failed ? 1 : 0);
    }

    /** A session, and its factory that is closed with it. */
    static class Closing implements AutoCloseable {
        final SessionFactory factory;
        final Session session;

        Closing(SessionFactory f) {
            factory = f;
            session = f.openSession();
        }

        public void close() {
            session.close();
            factory.close();
        }
    }
}
